/** The part of the AI SDK's message shape that our server speaks; kept structural so that the rooms do not load the SDK for it. */
export interface ChatPart {
  type: string;
  id?: string;
  text?: string;
  state?: string;
  data?: unknown;
  toolCallId?: string;
  toolName?: string;
  input?: unknown;
  output?: unknown;
  errorText?: string;
  url?: string;
  mediaType?: string;
  filename?: string;
}

export interface ChatMessage {
  id: string;
  role: "user" | "assistant" | "system";
  parts: ChatPart[];
  metadata?: { by_rules?: boolean; run?: string; thread?: string; error?: string | null; /** A person of the shop wrote it. */ author?: string } | undefined;
}

export interface Picture {
  url: string;
  mediaType: string;
  filename?: string;
}

export type ChatStatus = "ready" | "submitted" | "streaming" | "error";

/** The line to the server broke before the answer ended. */
export class CutError extends Error {
  override name = "CutError";
}

/** The server said, inside the stream, that the answer could not be finished. */
export class StreamError extends Error {
  override name = "StreamError";
}
