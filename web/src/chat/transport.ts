import type { ChatTransport, UIMessage, UIMessageChunk } from "ai";
import { call } from "../api/client";
import { events } from "../api/sse";
import { CutError, StreamError } from "./types";

/**
 * Speaks the UI message stream with `/api/chat`. Unlike the SDK's own transport it tells three endings apart: finished, failed at the
 * shop, and cut on the way; only the last is worth taking up again.
 */
export class ShopTransport implements ChatTransport<UIMessage> {
  /** The server replays a running answer from its first part. */
  readonly resumeStreamIsReplay = true;
  /** Whether the last `reconnectToStream` found an answer under way. */
  found = false;

  constructor(
    private readonly agent: string,
    private readonly locale: () => string,
    /** The shop has taken the message. */
    private readonly accepted: (thread: string) => void = () => undefined,
  ) {}

  async sendMessages({ chatId, messages, trigger, messageId, abortSignal }: Parameters<ChatTransport<UIMessage>["sendMessages"]>[0]) {
    const last = messages.findLast((message) => message.role === "user");
    const response = await call("/api/chat", {
      method: "POST",
      headers: { "content-type": "application/json", ...(last ? { "idempotency-key": last.id } : {}) },
      body: JSON.stringify({ id: chatId, messages: last ? [last] : [], trigger, ...(messageId === undefined ? {} : { messageId }), agent: this.agent, locale: this.locale() }),
      signal: abortSignal ?? null,
    });
    this.accepted(chatId);
    return chunks(response, abortSignal);
  }

  async reconnectToStream({ chatId, abortSignal }: Parameters<ChatTransport<UIMessage>["reconnectToStream"]>[0]) {
    this.found = false;
    const response = await call(`/api/chat/${encodeURIComponent(chatId)}/stream`, { signal: abortSignal ?? null });
    if (response.status === 204 || response.body === null) return null;
    this.found = true;
    return chunks(response, abortSignal);
  }
}

function chunks(response: Response, abortSignal: AbortSignal | undefined): ReadableStream<UIMessageChunk> {
  const body = response.body;
  if (body === null) throw new CutError("no body");
  return new ReadableStream<UIMessageChunk>({
    async start(controller) {
      let ended = false;
      try {
        for await (const event of events(body)) {
          if (event.data === "[DONE]") {
            ended = true;
            break;
          }
          let chunk: { type?: unknown; errorText?: unknown };
          try {
            chunk = JSON.parse(event.data) as typeof chunk;
          } catch {
            continue; // a keep-alive or a half-written line is no part of the answer
          }
          if (typeof chunk?.type !== "string") continue;
          if (chunk.type === "error") throw new StreamError(typeof chunk.errorText === "string" ? chunk.errorText : "");
          if (chunk.type === "finish" || chunk.type === "abort") ended = true;
          controller.enqueue(chunk as UIMessageChunk);
        }
        if (!ended) throw new CutError("the stream ended before the answer did");
        controller.close();
      } catch (cause) {
        if (abortSignal?.aborted) controller.error(new DOMException("stopped", "AbortError"));
        else controller.error(cause instanceof StreamError || cause instanceof CutError ? cause : new CutError("connection lost"));
      }
    },
  });
}
