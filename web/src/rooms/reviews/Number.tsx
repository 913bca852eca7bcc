import type { ReactNode } from "react";
import type { Filter, Share } from "./api";
import { percent, useOpen, useReviewWords } from "./useWords";

/** A number that opens the reviews behind it; plain when there is nothing to open. */
export function Figure({ name, value, words, filter, hint, tone }: { name: string; value: ReactNode; words?: ReactNode; filter?: Filter | undefined; hint?: string | undefined; tone?: "good" | "bad" | undefined }) {
  const open = useOpen();
  const inner = (
    <>
      <span className="figure-name">{name}</span>
      <span className="figure-value">{value}</span>
      {words != null && <span className="figure-words">{words}</span>}
    </>
  );
  return filter === undefined ? (
    <div className="figure" title={hint} data-tone={tone}>
      {inner}
    </div>
  ) : (
    <button type="button" className="figure" title={hint} data-tone={tone} onClick={() => open(filter, name)}>
      {inner}
    </button>
  );
}

/** A share, its interval and n. */
export function ShareButton({ share, title }: { share: Share; title: string }) {
  const w = useReviewWords();
  const open = useOpen();
  const words = `${percent(share.percent)} (${percent(share.low)} – ${percent(share.high)}), ${w.n(share.n)}`;
  const { filter } = share;
  return filter === undefined ? (
    <span className="share">{words}</span>
  ) : (
    <button type="button" className="share" onClick={() => open(filter, title)}>
      {words}
    </button>
  );
}
