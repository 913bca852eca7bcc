import { useMemo } from "react";
import type { GraphShape } from "../../api/types";
import { useSpeech } from "../../i18n";
import { BOX, layout } from "./layout";

/** The graph as a picture; the steps that were taken are filled, the one at work breathes. */
export function Graph({ shape, taken, at, ended, walked }: { shape: GraphShape; taken: Map<string, number>; at: Set<string>; ended: boolean; /** The lines that were walked, when they are known. */ walked: { from: string; to: string }[] | null }) {
  const { t } = useSpeech();
  const picture = useMemo(() => layout(shape), [shape]);
  const passed = (name: string) => taken.has(name) || at.has(name) || (/^_*start_*$/i.test(name) && taken.size > 0) || (/^_*end_*$/i.test(name) && ended);
  return (
    <div className="graph" tabIndex={0}>
      <svg viewBox={`0 0 ${picture.width} ${picture.height}`} width={picture.width} height={picture.height} role="img" aria-label={t.runs.graphAlt([...taken.keys()].join(", ") || t.app.none)}>
        <defs>
          {[false, true].map((walkedOn) => (
            <marker key={String(walkedOn)} id={walkedOn ? "arrow-walked" : "arrow"} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto">
              <path d="M 0 0.5 L 7.5 4 L 0 7.5 z" className="graph-arrow" data-walked={walkedOn} />
            </marker>
          ))}
        </defs>
        {picture.lines.map((line) => {
          const on = walked === null ? passed(line.from) && passed(line.to) : walked.some((step) => step.from === line.from && step.to === line.to);
          return <path key={`${line.from} ${line.to}`} d={line.path} className="graph-line" data-branch={line.branch} data-walked={on} markerEnd={on ? "url(#arrow-walked)" : "url(#arrow)"} />;
        })}
        {picture.places.map((place) => {
          const count = taken.get(place.name) ?? 0;
          return (
            <g key={place.name} transform={`translate(${place.x} ${place.y})`} className="graph-step" data-taken={count > 0} data-at={at.has(place.name)} data-terminal={place.terminal}>
              <rect width={BOX.width} height={BOX.height} rx={place.terminal ? BOX.height / 2 : 6} />
              <text x={BOX.width / 2} y={BOX.height / 2} dominantBaseline="central" textAnchor="middle">
                {label(place.name)}
              </text>
              {count > 1 && (
                <text x={BOX.width - 8} y={11} textAnchor="end" dominantBaseline="central" className="graph-count">
                  ×{count}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </div>
  );
}

const label = (name: string): string => {
  const plain = name.replace(/^_+|_+$/g, "").replaceAll("_", " ");
  return plain.length > 17 ? `${plain.slice(0, 16)}…` : plain;
};
