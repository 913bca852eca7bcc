import { useState, type FormEvent } from "react";
import * as api from "../../api/client";
import { object, text } from "../../api/read";
import type { Question, RunRow } from "../../api/types";
import { useSpeech } from "../../i18n";
import { Trouble } from "../../ui/Trouble";

/** What a run waits for, and the answers that let it go on; a run at its step limit may be given more. */
export function Questions({ run, onDone }: { run: RunRow; onDone: () => void }) {
  const { t } = useSpeech();
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const resume = async (body: { answers?: Record<string, unknown>; step_limit?: number }) => {
    setBusy(true);
    setError(null);
    try {
      await api.resumeRun(run.id, body);
      onDone();
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };
  const limit = run.status === "step_limit";
  const failed = run.status === "failed" || run.status === "cancelled";
  if (!limit && !failed && run.waiting.length === 0) return null;
  return (
    <section className="questions" aria-label={t.runs.waitingTitle}>
      {run.waiting.length > 0 && <Ask questions={run.waiting} busy={busy} onAnswer={(answers) => void resume({ answers })} />}
      {(limit || failed) && (
        <button type="button" className="button" disabled={busy} onClick={() => void resume(limit ? { step_limit: Math.max(64, run.steps * 2) } : {})}>
          {limit ? t.runs.moreSteps : t.runs.resume}
        </button>
      )}
      {error != null && <Trouble error={error} />}
    </section>
  );
}

function Ask({ questions, busy, onAnswer }: { questions: Question[]; busy: boolean; onAnswer: (answers: Record<string, unknown>) => void }) {
  const { t } = useSpeech();
  const [given, setGiven] = useState<Record<string, string>>({});
  const [bad, setBad] = useState(false);
  const one = questions.length === 1 ? questions[0] : undefined;
  const yesNo = one !== undefined && text(object(one.schema).type) === "boolean";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const answers: Record<string, unknown> = {};
    setBad(false);
    for (const question of questions) {
      const value = read(given[question.id] ?? "");
      if (value === undefined) return setBad(true);
      answers[question.id] = value;
    }
    onAnswer(answers);
  };
  return (
    <form onSubmit={submit}>
      <h2>{t.runs.waitingTitle}</h2>
      {questions.map((question) => (
        <div key={question.id} className="question">
          <p>
            <b>{question.node}</b> <code>{question.id}</code>
          </p>
          <pre className="state-json" tabIndex={0} role="region" aria-label={question.id}>
            {JSON.stringify(question.payload, null, 2)}
          </pre>
          {!yesNo && (
            <label>
              {t.runs.answer}
              <input className="field" value={given[question.id] ?? ""} onChange={(event) => setGiven({ ...given, [question.id]: event.target.value })} required title={t.runs.answerHint} />
            </label>
          )}
        </div>
      ))}
      {bad && <p role="alert">{t.runs.badAnswer}</p>}
      {yesNo && one !== undefined ? (
        <p className="question-buttons">
          <button type="button" className="button primary" disabled={busy} onClick={() => onAnswer({ [one.id]: true })}>
            {t.runs.yes}
          </button>
          <button type="button" className="button" disabled={busy} onClick={() => onAnswer({ [one.id]: false })}>
            {t.runs.no}
          </button>
        </p>
      ) : (
        <button type="submit" className="button primary" disabled={busy}>
          {t.runs.resume}
        </button>
      )}
    </form>
  );
}

/** JSON where it looks like JSON, the words themselves otherwise. */
function read(words: string): unknown {
  const plain = words.trim();
  if (!/^[[{"]|^-?\d|^(true|false|null)$/.test(plain)) return plain;
  try {
    return JSON.parse(plain) as unknown;
  } catch {
    return undefined;
  }
}
