import { createContext, use } from "react";

/** What a card can ask of the room it lies in. */
export interface ShopTools {
  open: (id: string, alike?: boolean) => void;
  basket: { id: string; title: string }[];
  full: boolean;
  toggle: (card: { id: string; title: string }) => void;
  clear: () => void;
  compare: () => void;
  /** Puts words into the composer, for the customer to send. */
  ask: (text: string) => void;
}

export const ShopContext = createContext<ShopTools | null>(null);

export function useShop(): ShopTools {
  const tools = use(ShopContext);
  if (tools === null) throw new Error("useShop outside of the shop");
  return tools;
}
