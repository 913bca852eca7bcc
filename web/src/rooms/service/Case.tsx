import { useState, type ReactNode } from "react";
import { useSpeech } from "../../i18n";
import { Link } from "../../ui/Link";
import { exact } from "../../ui/time";
import { When } from "../../ui/When";
import * as api from "./api";
import { useServiceWords } from "./useWords";

/** Everything known about an order: what was bought, where it is, how it is judged, what was paid back, what was written. */
export function CaseView({ of }: { of: api.Case }) {
  const { t } = useSpeech();
  const w = useServiceWords();
  const { order } = of;
  return (
    <div className="case">
      <section className="case-order" aria-label={w.order}>
        <header>
          <h3>{order.number}</h3>
          <span className="status" data-status={tone(order.state)}>
            <i aria-hidden />
            {order.state_text ?? order.state}
          </span>
        </header>
        {of.customer?.name && (
          <p className="quiet" dir="auto">
            {[of.customer.name, of.customer.email, of.customer.tier].filter(Boolean).join(" · ")}
          </p>
        )}
        <ul className="case-lines">
          {(order.lines ?? []).map((line) => (
            <li key={line.line}>
              <Picture of={line} />
              <span className="case-line-name" dir="auto">
                {line.title}
                {line.options ? <small>{line.options}</small> : null}
              </span>
              <span className="num">
                {api.amount(line.unit_price)} × {line.quantity ?? 1}
                {line.refunded?.minor ? (
                  <small>
                    {w.refunded} {api.amount(line.refunded)}
                  </small>
                ) : null}
              </span>
            </li>
          ))}
        </ul>
        <dl className="facts">
          <Fact name={w.placed}>{order.placed ? <time dateTime={order.placed}>{order.placed_words ?? order.placed}</time> : t.app.none}</Fact>
          <Fact name={w.paid}>{api.amount(order.paid)}</Fact>
          {order.shipping?.minor ? <Fact name={w.shipping}>{api.amount(order.shipping)}</Fact> : null}
          {order.refunded?.minor ? <Fact name={w.refunded}>{api.amount(order.refunded)}</Fact> : null}
          {(order.payments ?? []).map((payment, n) => (
            <Fact key={n} name={w.payment}>
              {payment.label ?? payment.method}
            </Fact>
          ))}
          {order.address && (
            <Fact name={w.address}>
              <span dir="auto">{order.address}</span>
            </Fact>
          )}
        </dl>
        {order.note && (
          <figure className="case-note" title={w.noteHint}>
            <figcaption>{w.note}</figcaption>
            <blockquote dir="auto">{order.note}</blockquote>
          </figure>
        )}
      </section>

      <Part name={w.parcel}>
        {(of.shipments ?? []).length === 0 && <p className="quiet">{w.noParcel}</p>}
        {(of.shipments ?? []).map((parcel, n) => (
          <div key={n} className="parcel">
            <p>
              <b dir="auto">{parcel.carrier}</b> <span className="id">{parcel.tracking}</span> {parcel.state_text ?? parcel.state}
            </p>
            <ol>
              {[...(parcel.events ?? [])].reverse().map((event, m) => (
                <li key={m} data-here={m === 0}>
                  <span>{event.words ?? event.at}</span>
                  <span dir="auto">
                    <b>{event.state_text ?? event.state}</b> {event.place} <small>{event.text}</small>
                  </span>
                </li>
              ))}
            </ol>
          </div>
        ))}
      </Part>

      <Part name={w.policy}>{of.policy ? <Proof policy={of.policy} /> : <p className="quiet">{w.noPolicy}</p>}</Part>

      {of.refund && of.refund.state !== "none" && (
        <Part name={w.refund}>
          <p className="case-refund">
            <span className="status" data-status={of.refund.state === "refunded" ? "done" : of.refund.state === "rejected" ? "failed" : "interrupted"}>
              <i aria-hidden />
              {w.refundStates[of.refund.state] ?? of.refund.state}
            </span>
            {of.refund.amount && <b>{api.amount(of.refund.amount)}</b>}
            {of.refund.run_id && <Link to={`/runs/${encodeURIComponent(of.refund.run_id)}`}>{w.run}</Link>}
          </p>
          <ul className="case-entries">
            {(of.refund.entries ?? []).map((entry) => (
              <li key={entry.id}>
                <b>{api.amount(entry.amount)}</b> {w.to} {entry.to} {entry.at && <When at={entry.at} />}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {(of.returns ?? []).length > 0 && (
        <Part name={w.returns}>
          <ul className="case-entries">
            {(of.returns ?? []).map((one) => (
              <li key={one.id}>
                <span className="id">{one.id}</span> {one.state_text ?? one.state} {one.deadline && `· ${w.deadline} ${one.deadline}`}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {(of.mails ?? []).length > 0 && (
        <Part name={w.mails}>
          {(of.mails ?? []).map((mail) => (
            <MailView key={mail.id} mail={mail} />
          ))}
        </Part>
      )}
      {(of.tickets ?? []).length > 0 && (
        <Part name={w.tickets}>
          <ul className="case-entries">
            {(of.tickets ?? []).map((one) => (
              <li key={one.id} dir="auto">
                {one.summary ?? one.kind} <span className="id">{one.id}</span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {(of.audit ?? []).length > 0 && (
        <Part name={w.audit}>
          <Record entries={of.audit ?? []} />
        </Part>
      )}
    </div>
  );
}

/** Facts, the rules they meet, and what follows; short enough to read aloud to a customer. */
function Proof({ policy }: { policy: NonNullable<api.Case["policy"]> }) {
  const w = useServiceWords();
  return (
    <div className="proof">
      <dl className="proof-facts" aria-label={w.facts}>
        {(policy.facts ?? []).map((fact) => (
          <Fact key={fact.name} name={fact.label ?? fact.name}>
            {fact.value}
          </Fact>
        ))}
      </dl>
      <ul className="proof-rules" aria-label={w.rules}>
        {(policy.rules ?? []).map((rule) => (
          <li key={rule.id} title={rule.source}>
            <code>{rule.id}</code>
            <span dir="auto">{rule.text}</span>
            {rule.kind && <small>{rule.kind === "statute" ? w.statute : w.shopRule}</small>}
          </li>
        ))}
      </ul>
      <p className="proof-result" data-decision={policy.decision}>
        <b>{w.decisions[policy.decision] ?? policy.decision}</b>
        {policy.amount && <b>{api.amount(policy.amount)}</b>}
        {policy.confidence !== undefined && <small>{w.confidence(policy.confidence)}</small>}
      </p>
      <dl className="facts">
        {(policy.lines ?? []).map((line) =>
          line.derivation ? (
            <Fact key={line.line} name={api.amount(line.amount)}>
              {line.derivation}
            </Fact>
          ) : null,
        )}
        {policy.freight && policy.freight !== "none" && <Fact name={w.freight}>{w.freights[policy.freight] ?? policy.freight}</Fact>}
        {policy.deadline && <Fact name={w.deadline}>{policy.deadline}</Fact>}
        {(policy.needs ?? []).length > 0 && <Fact name={w.needs}>{(policy.needs ?? []).join(" · ")}</Fact>}
        {(policy.alternatives ?? []).length > 0 && <Fact name={w.alternatives}>{(policy.alternatives ?? []).join(" · ")}</Fact>}
      </dl>
    </div>
  );
}

/** A mail with its state; opened, it is shown in a frame that can neither run nor load anything. */
export function MailView({ mail }: { mail: { subject: string; state?: string; to?: string; text?: string; html?: string; error?: string | null } }) {
  const w = useServiceWords();
  const [open, setOpen] = useState(false);
  return (
    <details className="mail" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span dir="auto">{mail.subject}</span>
        {mail.state && <small data-state={mail.state}>{w.mailStates[mail.state] ?? mail.state}</small>}
      </summary>
      {open && (
        <>
          {mail.to && <p className="quiet">{mail.to}</p>}
          {mail.error && <p className="run-error">{mail.error}</p>}
          <pre className="mail-text" dir="auto" tabIndex={0}>
            {mail.text ?? ""}
          </pre>
        </>
      )}
    </details>
  );
}

export function Record({ entries }: { entries: api.Audit[] }) {
  const { lang } = useSpeech();
  const w = useServiceWords();
  return (
    <ol className="record">
      {entries.map((entry, n) => (
        <li key={n}>
          <time dateTime={entry.at} title={exact(entry.at, lang)}>
            <When at={entry.at} />
          </time>
          <span dir="auto">
            <b>{w.who[entry.who ?? ""] ?? entry.who}</b> {entry.text ?? entry.what}
            {(entry.rule_ids ?? []).map((id) => (
              <code key={id}>{id}</code>
            ))}
            {entry.run_id && <Link to={`/runs/${encodeURIComponent(entry.run_id)}`}>{w.run}</Link>}
          </span>
        </li>
      ))}
    </ol>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="case-part">
      <h3>{name}</h3>
      {children}
    </section>
  );
}

function Picture({ of }: { of: api.Line }) {
  const source = of.product ? `/api/v1/products/${encodeURIComponent(of.product)}/image?w=96` : of.image?.startsWith("fil_") ? `/api/v1/files/${encodeURIComponent(of.image)}?w=96` : of.image?.startsWith("/") ? of.image : null;
  const [broken, setBroken] = useState(false);
  return source === null || broken ? <span className="case-picture" aria-hidden /> : <img className="case-picture" src={source} alt="" loading="lazy" onError={() => setBroken(true)} />;
}

const tone = (state: string): string => (/deliver|complete|sign/.test(state) ? "done" : /cancel|refus|fail/.test(state) ? "cancelled" : /transit|ship|out_for/.test(state) ? "running" : "interrupted");
