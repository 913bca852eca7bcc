/** The AI SDK's chat, loaded after the first paint: the page shows its history without it. */
import { AbstractChat, type ChatState, type UIMessage } from "ai";
import type { ShopTransport } from "./transport";

export interface Hooks {
  id: string;
  transport: ShopTransport;
  state: ChatState<UIMessage>;
  generateId: () => string;
  onData: (part: { type: string; data: unknown }) => void;
}

export class Engine extends AbstractChat<UIMessage> {
  constructor({ id, transport, state, generateId, onData }: Hooks) {
    super({ id, transport, state, generateId, onData: (part) => onData(part as { type: string; data: unknown }) });
  }
}

export { ShopTransport } from "./transport";
