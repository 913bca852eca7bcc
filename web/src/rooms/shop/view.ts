import { createContext, use } from "react";
import type { Session, View } from "../../chat/session";

/** The conversation that the messages belong to. */
export const ViewContext = createContext<{ view: View; session: Session } | null>(null);

export function useView(): { view: View; session: Session } {
  const value = use(ViewContext);
  if (value === null) throw new Error("useView outside of a conversation");
  return value;
}
