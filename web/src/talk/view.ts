import { createContext, use } from "react";
import type { Session, View } from "../chat/session";

/** What a room calls things in its conversation, and whether pictures can be shown to its agent. */
export interface TalkWords {
  label: string;
  input: string;
  placeholder: string;
  placeholderMore: string;
  placeholderShort: string;
  placeholderMoreShort: string;
  pictures: boolean;
  /** Names of tools in words: "searched the shelves". */
  tools: Record<string, string>;
}

interface Talk {
  view: View;
  session: Session;
  words: TalkWords;
}

/** The conversation that the messages belong to. */
export const ViewContext = createContext<Talk | null>(null);

export function useView(): Talk {
  const value = use(ViewContext);
  if (value === null) throw new Error("useView outside of a conversation");
  return value;
}
