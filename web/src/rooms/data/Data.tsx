import { FileUp, TriangleAlert } from "lucide-react";
import { useRef, useState, type DragEvent, type FormEvent } from "react";
import * as api from "../../api/client";
import type { Preview } from "../../api/types";
import { go } from "../../app/router";
import { useStatus } from "../../app/status";
import { remember, useSpeech } from "../../i18n";
import { Trouble } from "../../ui/Trouble";
import { Import } from "./Import";
import { Past } from "./Past";
import "./data.css";

/** Shop data: a file or an address, what was understood of it, the import itself, and those before. */
export default function Data({ id }: { id: string | null }) {
  const { t } = useSpeech();
  const [beat, setBeat] = useState(0);
  return (
    <div className="page data">
      <header className="page-head">
        <h1>{t.data.title}</h1>
        <p>{t.data.lead}</p>
      </header>
      {id === null ? <Begin /> : <Import key={id} id={id} onEnd={() => setBeat((n) => n + 1)} />}
      <Past current={id} beat={beat} />
    </div>
  );
}

interface Looked {
  preview: Preview;
  name: string;
  url: string | null;
}

function Begin() {
  const { t } = useSpeech();
  const [looked, setLooked] = useState<Looked | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [over, setOver] = useState(false);
  const [url, setUrl] = useState("");
  const input = useRef<HTMLInputElement>(null);

  const look = async (source: File | string) => {
    setBusy(true);
    setError(null);
    try {
      const preview = await api.previewImport(source);
      setLooked({ preview, name: typeof source === "string" ? source : source.name, url: typeof source === "string" ? source : null });
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) void look(file);
  };
  const byUrl = (event: FormEvent) => {
    event.preventDefault();
    if (url.trim() !== "") void look(url.trim());
  };
  if (looked !== null) return <Understood looked={looked} onBack={() => setLooked(null)} />;
  return (
    <section aria-busy={busy}>
      <div
        className="drop"
        data-over={over}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <FileUp aria-hidden />
        <p>
          <strong>{busy ? t.data.looking : t.data.drop}</strong>
          <span>{t.data.dropHint}</span>
        </p>
        <button type="button" className="button primary" disabled={busy} onClick={() => input.current?.click()}>
          {t.data.choose}
        </button>
        <input
          ref={input}
          type="file"
          hidden
          data-testid="feed"
          onChange={(event) => {
            const file = event.target.files?.[0];
            event.target.value = "";
            if (file) void look(file);
          }}
        />
      </div>
      <form className="by-url" onSubmit={byUrl}>
        <label htmlFor="feed-url">{t.data.orUrl}</label>
        <input id="feed-url" className="field" type="url" inputMode="url" autoComplete="off" placeholder={t.data.urlPlaceholder} value={url} onChange={(event) => setUrl(event.target.value)} />
        <button type="submit" className="button" disabled={busy || url.trim() === ""}>
          {t.data.look}
        </button>
      </form>
      {error != null && <Trouble error={error} />}
    </section>
  );
}

const CURRENCIES = ["CNY", "USD", "EUR", "GBP", "JPY", "HKD", "INR", "AUD", "CAD"];

function Understood({ looked, onBack }: { looked: Looked; onBack: () => void }) {
  const { t } = useSpeech();
  const { preview } = looked;
  const [mapping, setMapping] = useState<Record<string, string>>({});
  const own = useStatus()?.shop.currency ?? "";
  const [chosen, setCurrency] = useState<string | null>(null);
  const currency = chosen ?? own;
  const [starting, setStarting] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const fieldName = (field: string) => {
    const known = t.data.fields[field];
    if (known !== undefined) return known;
    const [base = field, name] = field.split(/[:.](.*)/s);
    return `${t.data.fields[base] ?? base}${name ? ` · ${name}` : ""}`;
  };
  const targets = [...new Set([...Object.keys(t.data.fields), ...preview.columns.map((c) => c.mapsTo).filter((m): m is string => m !== null)])];
  const start = async () => {
    setStarting(true);
    setError(null);
    try {
      const row = await api.startImport({
        ...(preview.upload !== "" ? { upload: preview.upload } : looked.url !== null ? { url: looked.url } : {}),
        ...(preview.format !== "" ? { format: preview.format } : {}),
        // a mapping of one's own stands for the whole: what was guessed right goes with it
        ...(Object.keys(mapping).length > 0
          ? { mapping: { columns: Object.fromEntries(preview.columns.map((c) => [c.name, (mapping[c.name] ?? c.mapsTo ?? "") || "ignore"])) } }
          : {}),
        ...(currency !== "" ? { currency } : {}),
      });
      remember(`mercer.import.${row.id}`, looked.name);
      go(`/data/${encodeURIComponent(row.id)}`);
    } catch (cause) {
      setError(cause);
      setStarting(false);
    }
  };
  return (
    <section className="understood" aria-labelledby="understood-title">
      <header>
        <div>
          <h2 id="understood-title">{t.data.previewTitle}</h2>
          <p className="quiet">
            <span className="understood-name">{looked.name}</span> · {t.data.nothingWritten}
          </p>
        </div>
        <div className="understood-buttons">
          <button type="button" className="button" onClick={onBack}>
            {t.data.another}
          </button>
          <button type="button" className="button primary" disabled={starting} onClick={() => void start()}>
            {starting ? t.data.starting : t.data.start}
          </button>
        </div>
      </header>
      {error != null && <Trouble error={error} />}
      <dl className="understood-facts">
        <div>
          <dt>{t.data.format}</dt>
          <dd>
            {preview.format.replaceAll("_", " ") || t.app.none}
            {preview.confidence !== null && preview.confidence < 0.995 && <span className="quiet"> · {t.data.certain(Math.round(preview.confidence * 100))}</span>}
          </dd>
        </div>
        {preview.encoding !== null && (
          <div>
            <dt>{t.data.encoding}</dt>
            <dd>{preview.encoding}</dd>
          </div>
        )}
        <div>
          <dt>{t.data.columns}</dt>
          <dd>{preview.columns.length}</dd>
        </div>
        <div>
          <dt>
            <label htmlFor="currency">{t.data.currency}</label>
          </dt>
          <dd>
            <select id="currency" className="field" value={currency} onChange={(event) => setCurrency(event.target.value)}>
              <option value="">{t.data.currencyAuto}</option>
              {[...new Set([...(own === "" ? [] : [own]), ...CURRENCIES])].map((code) => (
                <option key={code}>{code}</option>
              ))}
            </select>
          </dd>
        </div>
      </dl>
      {preview.warnings.length + preview.problems.length > 0 && (
        <div className="warnings">
          <TriangleAlert aria-hidden />
          <div>
            <h3>{t.data.warnings}</h3>
            <ul>
              {preview.warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
              {preview.problems.map(({ kind, sample }, n) => (
                <li key={`problem-${n}`}>
                  {[sample.line === null ? null : t.data.line(sample.line), sample.column, t.data.kinds[kind] ?? kind].filter(Boolean).join(" · ")}
                  {sample.reason !== null && <span className="quiet" dir="auto"> {sample.reason}</span>}
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
      <h3 className="section-name">{t.data.firstRows}</h3>
      <div className="table-box" tabIndex={0} role="region" aria-label={t.data.firstRows}>
        <table className="rows-table">
          <thead>
            <tr>
              {preview.columns.map((column, n) => (
                <th key={n} scope="col">
                  <span className="column-name">{column.name}</span>
                  <select
                    className="maps-to"
                    aria-label={`${column.name}: ${t.data.mapsTo}`}
                    data-ignored={(mapping[column.name] ?? column.mapsTo ?? "") === ""}
                    value={mapping[column.name] ?? column.mapsTo ?? ""}
                    onChange={(event) => setMapping({ ...mapping, [column.name]: event.target.value })}
                  >
                    <option value="">{t.data.ignored}</option>
                    {targets.map((field) => (
                      <option key={field} value={field}>
                        {fieldName(field)}
                      </option>
                    ))}
                  </select>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {preview.rows.slice(0, 8).map((row, n) => (
              <tr key={n}>
                {preview.columns.map((_, m) => (
                  <td key={m} dir="auto" title={row[m] && row[m].length > 60 ? row[m].slice(0, 600) : undefined}>
                    <span>{row[m] ?? ""}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
