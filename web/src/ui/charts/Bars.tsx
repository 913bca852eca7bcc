import "./charts.css";

export interface Part {
  tone: "jade" | "line" | "seal" | "indigo" | "amber";
  value: number;
  name: string;
}

export interface Bar {
  key: string;
  name: string;
  parts: Part[];
  /** What stands at the end of the bar: a count, a share with its interval. */
  words: string;
  onOpen?: (() => void) | undefined;
}

/** Lying bars with their words beside them: no legend to look up. The longest fills the width unless `whole` says what full means. */
export function Bars({ label, bars, whole }: { label: string; bars: Bar[]; whole?: number }) {
  const most = whole ?? Math.max(1e-9, ...bars.map((bar) => bar.parts.reduce((sum, part) => sum + part.value, 0)));
  return (
    <ul className="bars" aria-label={label}>
      {bars.map((bar) => {
        const row = (
          <>
            <span className="bars-name" dir="auto">
              {bar.name}
            </span>
            <svg className="bars-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden>
              {bar.parts.map((part, n) => {
                const before = bar.parts.slice(0, n).reduce((sum, p) => sum + p.value, 0);
                return <rect key={part.name} data-tone={part.tone} x={(before / most) * 100} width={Math.max(0, (part.value / most) * 100 - 0.3)} y={0} height={10} rx={0.6} />;
              })}
            </svg>
            <span className="bars-words">{bar.words}</span>
            <span className="visually-hidden">{bar.parts.map((part) => `${part.name} ${part.value}`).join(", ")}</span>
          </>
        );
        return (
          <li key={bar.key}>
            {bar.onOpen ? (
              <button type="button" className="bars-row" onClick={bar.onOpen}>
                {row}
              </button>
            ) : (
              <div className="bars-row">{row}</div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
