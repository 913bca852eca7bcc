import { useEffect, useState, type RefObject } from "react";

/** The width of an element as it is now, in whole pixels. */
export function useWidth(box: RefObject<HTMLElement | null>, first: number): number {
  const [width, setWidth] = useState(first);
  useEffect(() => {
    const element = box.current;
    if (element === null || typeof ResizeObserver === "undefined") return;
    const watch = new ResizeObserver(([entry]) => entry && setWidth(Math.max(240, Math.round(entry.contentRect.width))));
    watch.observe(element);
    return () => watch.disconnect();
  }, [box]);
  return width;
}
