import { Check, TriangleAlert, X } from "lucide-react";
import type { Gate } from "./api";
import { useStudioWords } from "./useWords";

/** What was measured, what was wanted, and the verdict of each; what is not good first. */
export function Gates({ gates }: { gates: Gate[] }) {
  const w = useStudioWords();
  const order = { fail: 0, warn: 1, pass: 2 };
  return (
    <ul className="gates">
      {[...gates]
        .sort((a, b) => order[a.verdict] - order[b.verdict])
        .map((gate) => (
          <li key={gate.id} data-verdict={gate.verdict}>
            {gate.verdict === "pass" ? <Check aria-hidden /> : gate.verdict === "warn" ? <TriangleAlert aria-hidden /> : <X aria-hidden />}
            <span>
              <b>{gate.label}</b> {gate.measured}
              {gate.verdict !== "pass" && gate.wanted && (
                <span className="quiet">
                  {" "}
                  · {w.wanted} {gate.wanted}
                </span>
              )}
              {gate.verdict !== "pass" && gate.reason && <small dir="auto">{gate.reason}</small>}
              <span className="visually-hidden"> {w.verdicts[gate.verdict]}</span>
            </span>
          </li>
        ))}
    </ul>
  );
}
