import { Download } from "lucide-react";
import { useState } from "react";
import { useSpeech } from "../../i18n";
import { useLoad } from "../../ui/load";
import { Trouble } from "../../ui/Trouble";
import * as api from "./api";
import { Gates } from "./Gates";
import { useStudioWords } from "./useWords";

/** The picture as a market wants it, checked by reading the finished file back. */
export function Exports({ job }: { job: api.Job }) {
  const { lang } = useSpeech();
  const w = useStudioWords();
  const profiles = useLoad(`profiles ${lang}`, (signal) => api.profiles(signal));
  const [chosen, setChosen] = useState(job.profile ?? "");
  const [made, setMade] = useState<api.Export | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const profile = (profiles.value ?? []).find((one) => one.id === chosen);
  const make = async () => {
    setBusy(true);
    setError(null);
    setMade(null);
    try {
      setMade(await api.exportFor(job.id, chosen));
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="exports" aria-labelledby="export-title">
      <h3 id="export-title">{w.exportTitle}</h3>
      <div className="exports-choose">
        <select className="field" aria-labelledby="export-title" value={chosen} onChange={(event) => setChosen(event.target.value)}>
          {chosen === "" && <option value="">–</option>}
          {(profiles.value ?? []).map((one) => (
            <option key={one.id} value={one.id}>
              {one.name} {one.width && one.height ? `${one.width} × ${one.height}` : ""}
            </option>
          ))}
        </select>
        <button type="button" className="button" disabled={busy || chosen === ""} onClick={() => void make()}>
          {busy ? w.exporting : w.exportMake}
        </button>
      </div>
      {profile !== undefined && (profile.notes ?? []).length > 0 && <p className="quiet">{(profile.notes ?? []).join(" · ")}</p>}
      {error != null && <Trouble error={error} />}
      {made !== null && (
        <div className="export-made" role="status">
          <a href={made.url} className="export-picture" target="_blank" rel="noopener">
            <img src={`${made.url}?w=320`} alt={made.name} />
          </a>
          <div>
            <p data-ok={made.ok}>
              <b>{made.ok ? w.ready : w.notReady}</b>
            </p>
            <p className="quiet">
              {made.width} × {made.height}
              {made.bytes !== undefined && ` · ${Math.round(made.bytes / 1024)} KB`}
              {made.ai_label?.text && ` · ${made.ai_label.text}`}
            </p>
            <a className="button primary" href={made.url} download={made.name}>
              <Download aria-hidden />
              {w.download}
            </a>
            <Gates gates={made.checks ?? []} />
          </div>
        </div>
      )}
    </section>
  );
}
