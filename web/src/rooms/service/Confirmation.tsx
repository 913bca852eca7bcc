import type { DataMessagePartProps } from "@assistant-ui/react";
import { useState } from "react";
import { list, object, text } from "../../api/read";
import { useSpeech } from "../../i18n";
import { useView } from "../../talk/view";
import { Trouble } from "../../ui/Trouble";
import * as api from "./api";
import { useServiceWords } from "./useWords";

/** What the shop would do, with its exact details, and the customer's yes or no to just that. */
export default function Confirmations({ data }: DataMessagePartProps) {
  const cards = list(object(data).interrupts).map(object);
  return (
    <>
      {cards.map((card) => (
        <Confirmation key={text(card.id) ?? ""} id={text(card.id) ?? ""} card={card.payload as api.ConfirmCard} state={text(card.state) ?? "open"} />
      ))}
    </>
  );
}

function Confirmation({ id, card, state }: { id: string; card: api.ConfirmCard; state: string }) {
  const { t } = useSpeech();
  const w = useServiceWords();
  const { view, session } = useView();
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<"yes" | "no" | null>(null);
  const [error, setError] = useState<unknown>(null);
  const now = said ?? state;
  const waits = view.status === "submitted" || view.status === "streaming";
  const say = async (yes: boolean) => {
    if (view.id === null) return;
    setBusy(true);
    setError(null);
    try {
      await api.answer(view.id, id, card.digest, yes);
      setSaid(yes ? "yes" : "no");
      await session.elsewhere();
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="confirm" data-state={now} aria-label={card.title}>
      {now === "open" && <p className="confirm-ask">{w.confirmAsk}</p>}
      <h3 dir="auto">{card.title}</h3>
      {card.lines !== undefined && card.lines.length > 0 && (
        <ul className="confirm-lines">
          {card.lines.map((line) => (
            <li key={line.line}>
              <span dir="auto">
                {line.title}
                {line.options ? <small> {line.options}</small> : null}
              </span>
              <span className="num">
                {line.quantity !== undefined && `× ${line.quantity}`} {line.amount ? api.amount(line.amount) : ""}
              </span>
            </li>
          ))}
        </ul>
      )}
      <dl>
        {card.order && (
          <div>
            <dt>{w.order}</dt>
            <dd>{card.order}</dd>
          </div>
        )}
        {card.amount && (
          <div>
            <dt>{w.from}</dt>
            <dd>
              <b>{api.amount(card.amount)}</b>
            </dd>
          </div>
        )}
        {card.to && (
          <div>
            <dt>{w.to}</dt>
            <dd dir="auto">{card.to}</dd>
          </div>
        )}
        {(card.details ?? []).map((detail) => (
          <div key={detail.label}>
            <dt>{detail.label}</dt>
            <dd dir="auto">{detail.value}</dd>
          </div>
        ))}
      </dl>
      {error != null && <Trouble error={error} />}
      {now === "open" ? (
        <div className="confirm-buttons">
          <button type="button" className="button primary" disabled={busy || waits} onClick={() => void say(true)}>
            {card.yes ?? w.approve}
          </button>
          <button type="button" className="button" disabled={busy || waits} onClick={() => void say(false)}>
            {card.no ?? t.app.cancel}
          </button>
        </div>
      ) : (
        <p className="quiet">{w.cardStates[now] ?? now}</p>
      )}
    </section>
  );
}
