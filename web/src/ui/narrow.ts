import { useSyncExternalStore } from "react";

/** Whether there is no room for a list beside the conversation; the same measure as in `shop.css`. */
export const narrow = (): boolean => typeof matchMedia === "function" && matchMedia("(max-width: 1100px)").matches;

export function useNarrow(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = matchMedia(query);
      media.addEventListener("change", changed);
      return () => media.removeEventListener("change", changed);
    },
    () => matchMedia(query).matches,
  );
}
