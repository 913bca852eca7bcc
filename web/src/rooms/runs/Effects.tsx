import { useState } from "react";
import * as api from "../../api/client";
import type { RunRow } from "../../api/types";
import { useSpeech } from "../../i18n";
import { useLoad } from "../../ui/load";
import { Trouble } from "../../ui/Trouble";
import { gist } from "../../chat/convert";

/** What the run did outside of its own state. One whose outcome is not known waits for a person's word. */
export function Effects({ run, steps, onSettled }: { run: RunRow; steps: number; onSettled: () => void }) {
  const { t } = useSpeech();
  const { value, reload } = useLoad(`effects ${run.id} ${steps} ${run.status}`, (signal) => api.effects(run.id, signal));
  const [error, setError] = useState<unknown>(null);
  const settle = async (key: string, happened: boolean) => {
    setError(null);
    try {
      await api.settleEffect(run.id, key, happened, null);
      reload();
      onSettled();
    } catch (cause) {
      setError(cause);
    }
  };
  if (value === null || value.length === 0) return null;
  return (
    <section className="run-effects" aria-labelledby="effects-title">
      <h2 id="effects-title">{t.runs.effects}</h2>
      <ul>
        {value.map((effect) => (
          <li key={effect.key} data-open={effect.open}>
            <p>
              <b>{effect.name}</b> <span className="id">{effect.facts.join(" · ")}</span>
              <small>{effect.open ? t.runs.effectOpen : t.runs.effectDone}</small>
            </p>
            {!effect.open && effect.result !== null && <p className="timeline-gist">{gist(effect.result)}</p>}
            {effect.open && run.status === "failed" && (
              <>
                <p className="quiet">{t.runs.settleHint}</p>
                <p className="question-buttons">
                  <button type="button" className="button" onClick={() => void settle(effect.key, true)}>
                    {t.runs.happened}
                  </button>
                  <button type="button" className="button" onClick={() => void settle(effect.key, false)}>
                    {t.runs.notHappened}
                  </button>
                </p>
              </>
            )}
          </li>
        ))}
      </ul>
      {error != null && <Trouble error={error} />}
    </section>
  );
}
