import { ShieldCheck } from "lucide-react";
import { useState, type FormEvent } from "react";
import { Problem } from "../../api/client";
import { Trouble } from "../../ui/Trouble";
import * as api from "./api";
import { useServiceWords } from "./useWords";

/** Who is asking: by an order and a contact, or by a code to the mail address. Says the same whether or not something exists. */
export function IdentityForm({ thread, identity, onChange }: { thread: string; identity: api.Identity; onChange: () => void }) {
  const w = useServiceWords();
  const [order, setOrder] = useState("");
  const [contact, setContact] = useState("");
  const [email, setEmail] = useState("");
  const [code, setCode] = useState("");
  const [sent, setSent] = useState(identity.state === "code_sent");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (work: () => Promise<unknown>, then?: () => void) => {
    setBusy(true);
    setError(null);
    try {
      await work();
      then?.();
      onChange();
    } catch (cause) {
      setError(cause);
      if (cause instanceof Problem && cause.status === 423) onChange();
    } finally {
      setBusy(false);
    }
  };
  const submit = (work: () => Promise<unknown>, then?: () => void) => (event: FormEvent) => {
    event.preventDefault();
    void run(work, then);
  };
  if (identity.state === "locked") return <p className="notice">{w.locked}</p>;
  return (
    <section className="identity" aria-labelledby="identity-title">
      <h3 id="identity-title">
        <ShieldCheck aria-hidden />
        {w.verifyTitle}
      </h3>
      <p className="quiet">{w.verifyHint}</p>
      <form onSubmit={submit(() => api.byOrder(thread, order, contact))}>
        <label>
          {w.number}
          <input className="field" value={order} onChange={(event) => setOrder(event.target.value)} autoComplete="off" required />
        </label>
        <label>
          {w.contact}
          <input className="field" value={contact} onChange={(event) => setContact(event.target.value)} autoComplete="email" required />
        </label>
        <button type="submit" className="button primary" disabled={busy}>
          {w.verify}
        </button>
      </form>
      {error != null && <Trouble error={error} />}
      <details>
        <summary>{w.byCode}</summary>
        <form onSubmit={submit(() => api.sendCode(thread, email), () => setSent(true))}>
          <label>
            {w.email}
            <input className="field" type="email" value={email} onChange={(event) => setEmail(event.target.value)} autoComplete="email" required />
          </label>
          <button type="submit" className="button" disabled={busy}>
            {w.sendCode}
          </button>
        </form>
        {sent && (
          <form onSubmit={submit(() => api.checkCode(thread, code))}>
            <p className="quiet" role="status">
              {w.codeSent}
            </p>
            <label>
              {w.code}
              <input className="field" inputMode="numeric" autoComplete="one-time-code" pattern="\s*\d{6}\s*" value={code} onChange={(event) => setCode(event.target.value)} required />
            </label>
            <button type="submit" className="button" disabled={busy}>
              {w.check}
            </button>
          </form>
        )}
      </details>
    </section>
  );
}
