/**
 * One conversation as this page knows it: history from the server, the answer that is coming in, the standing conditions.
 * It outlives neither the page nor the thread; everything that matters is at the server, so a reload or a cut line loses nothing.
 */
import type { ChatState, UIMessage } from "ai";
import * as api from "../api/client";
import { conditions as readConditions } from "../api/read";
import type { Condition } from "../api/types";
import type { Engine } from "./engine";
import * as outbox from "./outbox";
import { CutError, type ChatMessage, type ChatStatus, type Picture } from "./types";

export interface View {
  id: string | null;
  messages: readonly ChatMessage[];
  status: ChatStatus;
  /** History is on its way. */
  loading: boolean;
  /** The line was cut and is being taken up again. */
  reconnecting: boolean;
  error: unknown;
  conditions: readonly Condition[];
  stopped: ReadonlySet<string>;
}

const PAUSES = [300, 1_000, 2_500, 6_000, 12_000, 20_000];
/** Renders at most about thirty times a second however fast the words come. */
const FRAME = 32;

export class Session {
  private id: string | null;
  private engine: Promise<Engine> | null = null;
  private raw: ChatMessage[] = [];
  private fresh = new Set<string>();
  private status: ChatStatus = "ready";
  private loading = false;
  private reconnecting = false;
  private error: unknown = null;
  private conditions: Condition[] = [];
  private readonly stopped = new Set<string>();
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private closed = false;
  private sending = false;
  /** Rises with each message sent, so that a slow answer to an older question does not overwrite newer ones. */
  private turn = 0;
  private opening: Promise<void> = Promise.resolve();
  private opened = false;
  /** Whether an answer was under way when the history was loaded; null when the server does not say. */
  private underWay: boolean | null = null;
  /** That answer is being joined: the page is not ready for the next message yet. */
  private joining = false;
  private view: View;

  constructor(
    id: string | null,
    readonly agent: string,
    private readonly locale: () => string,
    /** A new conversation got its id. */
    private readonly born: (id: string) => void,
    /** Something changed that other tabs and the list of conversations should know. */
    private readonly told: (id: string) => void,
  ) {
    this.id = id;
    this.loading = id !== null;
    this.view = this.draw();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly snapshot = (): View => this.view;

  get busy(): boolean {
    return this.sending || this.status === "submitted" || this.status === "streaming";
  }

  /** Loads what was said and goes on with an answer that is under way. */
  open(): Promise<void> {
    if (this.opened && this.status !== "error") return this.opening;
    this.opened = true;
    this.opening = this.firstLoad();
    return this.opening.then(() => this.join());
  }

  /** Goes on with an answer that is under way, when the thread says or does not say that there is one. */
  private async join(): Promise<void> {
    if (this.id === null || this.status === "error") return;
    const lost = outbox.lost(this.id, this.raw);
    if (this.underWay === false && lost === null) return;
    const turn = this.turn;
    try {
      if (lost !== null) {
        this.turn++;
        await (await this.load(this.id)).sendMessage(lost as unknown as UIMessage);
        return await this.settle();
      }
      if (!(await this.resume()) && this.joining && turn === this.turn) await this.refresh(); // it ended in between
    } catch {
      // the history stands; the next message tries the line again
    } finally {
      this.joining = false;
      this.paint();
    }
  }

  private async firstLoad(): Promise<void> {
    if (this.id === null) return;
    this.loading = true;
    this.status = "ready";
    this.error = null;
    this.paint();
    try {
      const [thread] = await Promise.all([api.thread(this.id), this.refresh()]);
      this.underWay = thread.status === null ? null : ["running", "queued", "busy"].includes(thread.status);
      this.joining = this.underWay === true;
    } catch (error) {
      this.error = error;
      this.status = "error";
      return;
    } finally {
      this.loading = false;
      this.paint();
    }
  }

  /** Sends a message; the first one makes the thread. */
  async send(text: string, pictures: Picture[] = []): Promise<void> {
    if (this.busy || (text.trim() === "" && pictures.length === 0)) return;
    this.sending = true;
    await this.opening;
    this.joining = false;
    this.turn++;
    this.error = null;
    const message: ChatMessage = {
      id: `msg_${api.key()}`,
      role: "user",
      parts: [...pictures.map((p) => ({ type: "file", url: p.url, mediaType: p.mediaType, ...(p.filename ? { filename: p.filename } : {}) })), ...(text.trim() === "" ? [] : [{ type: "text", text }])],
    };
    this.raw = [...this.raw, message];
    this.status = "submitted";
    this.paint();
    try {
      if (this.id === null) {
        const thread = await api.createThread(this.agent, title(text));
        this.id = thread.id;
        this.born(thread.id);
      }
      outbox.put(this.id, message, this.raw.filter((m) => m.role === "user").length - 1);
      const engine = await this.load(this.id);
      this.raw = this.raw.filter((m) => m !== message); // the engine adds it itself
      this.sending = false;
      setTimeout(() => this.id !== null && this.told(this.id), 50);
      await engine.sendMessage(message as unknown as UIMessage);
    } catch (error) {
      if (!this.raw.includes(message)) this.raw = [...this.raw, message];
      this.status = "error";
      this.error = error;
    } finally {
      this.sending = false;
      this.paint();
    }
    await this.settle();
  }

  /** Asks once more where an answer failed; a cut line is taken up again instead of asking twice. */
  async retry(): Promise<void> {
    if (this.busy) return;
    if (this.id === null) {
      // the thread itself could not be made: take the message back and send it anew
      const last = this.raw.at(-1);
      if (last?.role !== "user") return;
      this.raw = this.raw.slice(0, -1);
      const text = last.parts.find((p) => p.type === "text")?.text ?? "";
      await this.send(text, last.parts.filter((p) => p.type === "file").map((p) => ({ url: p.url ?? "", mediaType: p.mediaType ?? "" })));
      return;
    }
    this.error = null;
    this.status = "submitted";
    this.paint();
    if (await this.resume()) return;
    try {
      const engine = await this.load(this.id);
      const lost = await this.catchUp();
      if (lost !== null) {
        await engine.sendMessage(lost as unknown as UIMessage);
      } else {
        // it may have been answered meanwhile: then the history has it, and nothing is asked twice
        const run = await api.runs({ thread: this.id, limit: 1 }).then((page) => page.items[0], () => undefined);
        if (run?.status === "done" && this.raw.at(-1)?.role === "assistant") this.status = "ready";
        else await this.askAgain(engine);
      }
      this.paint();
    } catch (error) {
      this.status = "error";
      this.error = error;
      this.paint();
    }
    await this.settle();
  }

  /** The shop keeps the answer that failed in its history, so the question is put anew as a turn of its own. */
  private async askAgain(engine: Engine): Promise<void> {
    const last = this.raw.findLast((m) => m.role === "user");
    if (last === undefined || this.id === null) return;
    const message: ChatMessage = { id: `msg_${api.key()}`, role: "user", parts: last.parts };
    this.turn++;
    outbox.put(this.id, message, this.raw.filter((m) => m.role === "user").length);
    await engine.sendMessage(message as unknown as UIMessage);
  }

  /** Stops the answer here and its run at the server; what was said stays. */
  async stop(): Promise<void> {
    const last = this.raw.at(-1);
    const run = last?.role === "assistant" ? last.metadata?.run : undefined;
    if (last?.role === "assistant") this.stopped.add(last.id);
    const thread = this.id;
    await (await this.engine)?.stop();
    this.status = "ready";
    this.paint();
    try {
      const id = run ?? (thread === null ? undefined : (await api.runs({ thread, limit: 1 })).items.find((r) => r.status === "running" || r.status === "queued")?.id);
      if (id !== undefined) await api.cancelRun(id);
    } catch {
      // the run may have ended by itself in between; the answer on the page is stopped either way
    }
    if (thread !== null) this.told(thread);
  }

  /** Takes a standing condition away; the shop answers anew. */
  async drop(condition: Condition): Promise<void> {
    if (this.id === null || this.busy) return;
    const before = this.conditions;
    this.conditions = before.filter((c) => c.id !== condition.id);
    this.sending = true;
    this.paint();
    try {
      await api.removeCondition(this.id, condition.id, this.locale());
    } catch (error) {
      this.conditions = before;
      throw error;
    } finally {
      this.sending = false;
      this.paint();
    }
    this.told(this.id);
    if (!(await this.resume())) await this.refresh().catch(() => undefined);
    this.paint();
    await this.settle();
  }

  /** Another tab of this browser changed the conversation. */
  async elsewhere(): Promise<void> {
    if (this.busy || this.id === null) return;
    await this.refresh().catch(() => undefined);
    if (!(await this.resume())) await this.refresh().catch(() => undefined);
  }

  /** The network is back. */
  async online(): Promise<void> {
    if (this.status === "error" && this.id !== null && !this.busy && isCut(this.error)) await this.recover();
  }

  close(): void {
    this.pause();
    this.closed = true;
    this.listeners.clear();
    if (this.timer !== null) clearTimeout(this.timer);
  }

  /** Leaves the stream, not the run: the answer goes on at the server. */
  pause(): void {
    void this.engine?.then((engine) => engine.stop());
  }

  /** Brings the history up to date; gives back my last message when it never reached the server. */
  private async catchUp(): Promise<ChatMessage | null> {
    const mine = this.raw.filter((m) => m.role === "user");
    await this.refresh();
    const there = this.raw.filter((m) => m.role === "user");
    return there.length < mine.length ? (mine.at(-1) ?? null) : null;
  }

  private async refresh(): Promise<void> {
    if (this.id === null) return;
    const turn = this.turn;
    const answer = await api.messages(this.id);
    const messages = answer.messages as ChatMessage[];
    if (turn !== this.turn || this.closed) return;
    this.raw = messages.filter((m) => typeof m?.id === "string" && Array.isArray(m.parts));
    this.fresh.clear();
    this.conditions = answer.conditions ?? standing(this.raw);
    this.paint();
  }

  /** Joins the answer under way; false when there is none. */
  private async resume(): Promise<boolean> {
    if (this.id === null || this.closed) return false;
    const engine = await this.load(this.id);
    await engine.resumeStream();
    const found = (engine as unknown as { transport: { found: boolean } }).transport.found;
    if (found) await this.settle();
    return found;
  }

  /** After an answer: tells the others; after a cut: takes the answer up again. */
  private async settle(): Promise<void> {
    if (this.closed) return;
    if (this.status === "error" && isCut(this.error)) await this.recover();
    else if (this.id !== null) this.told(this.id);
  }

  private async recover(): Promise<void> {
    if (this.id === null || this.reconnecting) return;
    this.reconnecting = true;
    const last = this.error;
    try {
      for (const pause of PAUSES) {
        this.paint();
        await new Promise((resolve) => setTimeout(resolve, pause));
        if (this.closed || this.busy) return;
        const engine = await this.load(this.id);
        await engine.resumeStream();
        if (this.closed) return;
        if ((this.status as ChatStatus) !== "error") {
          this.error = null;
          if (!(engine as unknown as { transport: { found: boolean } }).transport.found) {
            const lost = await this.catchUp();
            if (lost !== null) await engine.sendMessage(lost as unknown as UIMessage);
          }
          this.told(this.id);
          return;
        }
      }
    } catch {
      this.status = "error";
    } finally {
      this.reconnecting = false;
      if (this.status === "error" && this.error === null) this.error = last;
      this.paint();
    }
  }

  private load(id: string): Promise<Engine> {
    this.engine ??= import("./engine").then(({ Engine, ShopTransport }) => {
      const session = this;
      const state: ChatState<UIMessage> = {
        get status() {
          return session.status;
        },
        set status(status) {
          session.status = status;
          session.paint();
        },
        get error() {
          return session.error instanceof Error ? session.error : undefined;
        },
        set error(error) {
          session.error = error ?? null;
          session.paint();
        },
        get messages() {
          return session.raw as unknown as UIMessage[];
        },
        set messages(messages) {
          session.raw = [...(messages as unknown as ChatMessage[])];
          session.paint();
        },
        pushMessage(message) {
          session.raw = [...session.raw.filter((old) => !sameRun(old, message as unknown as ChatMessage)), message as unknown as ChatMessage];
          session.touch(message.id);
        },
        popMessage() {
          session.raw = session.raw.slice(0, -1);
          session.paint();
        },
        replaceMessage(index, message) {
          session.raw = session.raw.map((old, n) => (n === index ? (message as unknown as ChatMessage) : old));
          session.touch(message.id);
        },
        snapshot: (thing) => structuredClone(thing),
      };
      return new Engine({
        id,
        transport: new ShopTransport(this.agent, this.locale, outbox.taken),
        state,
        generateId: () => `msg_${api.key()}`,
        onData: (part) => {
          if (part.type === "data-conditions") {
            this.conditions = readConditions(part.data);
            this.paint();
          }
        },
      });
    });
    this.engine.catch(() => {
      this.engine = null; // a failed download may be tried again
    });
    return this.engine;
  }

  private touch(id: string): void {
    this.fresh.add(id);
    this.paint();
  }

  private paint(): void {
    if (this.timer !== null || this.closed) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.view = this.draw();
      for (const listener of this.listeners) listener();
    }, FRAME);
  }

  private draw(): View {
    // the engine writes into its message while it streams; whoever renders gets a copy with a new identity
    const messages = this.raw.map((message) =>
      this.fresh.has(message.id) ? { ...message, parts: message.parts.map((part) => ({ ...part })) } : message,
    );
    if (this.status !== "streaming") this.fresh.clear();
    return {
      id: this.id,
      messages,
      status: (this.sending || this.joining) && this.status === "ready" ? "submitted" : this.status,
      loading: this.loading,
      reconnecting: this.reconnecting,
      error: this.status === "error" ? this.error : null,
      conditions: this.conditions,
      stopped: new Set(this.stopped),
    };
  }
}

/** The conditions that the newest answer left standing. */
export function standing(messages: readonly ChatMessage[]): Condition[] {
  for (const message of [...messages].reverse()) {
    const part = message.parts.findLast((p) => p.type === "data-conditions");
    if (part !== undefined) return readConditions(part.data);
  }
  return [];
}

/** The answer of one run, told twice: from the history, and by the stream under another id. */
const sameRun = (a: ChatMessage, b: ChatMessage): boolean =>
  a.role === "assistant" && b.role === "assistant" && a.metadata?.run != null && a.metadata.run === b.metadata?.run;

/** The line or a proxy on it broke; the answer itself may well go on at the shop. */
const isCut = (error: unknown): boolean =>
  error instanceof CutError || (error instanceof api.Problem && (error.kind === "offline" || (error.status >= 502 && error.status <= 504)));

/** A name for the conversation: the wish itself, cut at a word. */
export function title(text: string): string {
  const plain = text.replace(/\s+/g, " ").trim();
  const letters = [...plain];
  if (letters.length <= 48) return plain;
  const cut = letters.slice(0, 48).join("");
  const space = cut.lastIndexOf(" ");
  return `${space > 24 ? cut.slice(0, space) : cut}…`;
}
