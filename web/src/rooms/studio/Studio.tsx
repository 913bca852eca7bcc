import { Camera, ImagePlus } from "lucide-react";
import { useEffect, useRef, useState, type DragEvent, type FormEvent } from "react";
import { upload } from "../../api/client";
import type { FileRow } from "../../api/types";
import { go } from "../../app/router";
import { useSpeech } from "../../i18n";
import { Link } from "../../ui/Link";
import { useLoad } from "../../ui/load";
import { Trouble } from "../../ui/Trouble";
import { When } from "../../ui/When";
import * as api from "./api";
import { JobView } from "./JobView";
import { useStudioWords } from "./useWords";
import "./studio.css";

/** The studio: a photo and a wish on the left, the way it is made in the middle, the attempts below. */
export default function Studio({ job }: { job: string | null }) {
  const w = useStudioWords();
  return (
    <div className="page studio">
      <header className="page-head">
        <h1>{w.title}</h1>
        <p>{w.lead}</p>
      </header>
      {job === null ? (
        <>
          <Begin />
          <Jobs />
        </>
      ) : (
        <JobView key={job} id={job} />
      )}
    </div>
  );
}

function Begin() {
  const { t, lang } = useSpeech();
  const w = useStudioWords();
  const can = useLoad(`studio ${lang}`, (signal) => api.capabilities(signal));
  const profiles = useLoad(`profiles ${lang}`, (signal) => api.profiles(signal));
  const [photo, setPhoto] = useState<FileRow | null>(null);
  const [busy, setBusy] = useState(false);
  const [over, setOver] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const files = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const [kind, setKind] = useState("selling_point_image");
  const [brief, setBrief] = useState("");
  const [name, setName] = useState("");
  const [points, setPoints] = useState("");
  const [profile, setProfile] = useState("");
  const [look, setLook] = useState("auto");
  const [presentation, setPresentation] = useState("product_only");
  const [attempts, setAttempts] = useState(3);
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    setBusy(true);
    setError(null);
    try {
      setPhoto(await upload(file));
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const file = event.clipboardData?.files[0];
      if (file?.type.startsWith("image/")) void take(file);
    };
    window.addEventListener("paste", paste);
    return () => window.removeEventListener("paste", paste);
  }, []);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (photo === null) return;
    setBusy(true);
    setError(null);
    try {
      const lines = points.split("\n").map((line) => line.trim()).filter(Boolean).slice(0, 4);
      const made = await api.make({
        photo: photo.id,
        kind,
        brief,
        presentation,
        look,
        max_attempts: attempts,
        language: lang,
        ...(profile === "" ? {} : { profile }),
        ...(name.trim() === "" && lines.length === 0 ? {} : { product: { ...(name.trim() === "" ? {} : { name: name.trim() }), selling_points: lines } }),
      });
      go(`/studio/${encodeURIComponent(made.id)}`);
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };
  const c = can.value;
  const missing = c === null ? [] : [c.cutout, c.image_model, c.vision_model, c.ocr, c.font].filter((part) => part?.ready === false && part.text).map((part) => part?.text ?? "");
  return (
    <form className="studio-begin" onSubmit={(event) => void submit(event)}>
      <div
        className="studio-photo"
        data-over={over}
        data-has={photo !== null}
        onDragOver={(event: DragEvent) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event: DragEvent) => {
          event.preventDefault();
          setOver(false);
          void take(event.dataTransfer.files[0]);
        }}
      >
        {photo !== null ? (
          <img src={`/api/v1/files/${encodeURIComponent(photo.id)}?w=640`} alt={w.photo} />
        ) : (
          <p>
            <strong>{w.drop}</strong>
            <span className="quiet">{w.dropHint}</span>
          </p>
        )}
        <div className="studio-photo-buttons">
          <button type="button" className={photo === null ? "button primary" : "button"} disabled={busy} onClick={() => files.current?.click()}>
            <ImagePlus aria-hidden />
            {photo === null ? w.chooseFile : w.another}
          </button>
          <button type="button" className="button camera" disabled={busy} onClick={() => camera.current?.click()}>
            <Camera aria-hidden />
            {w.camera}
          </button>
        </div>
        <input ref={files} type="file" accept="image/*" hidden data-testid="studio-photo" onChange={(event) => void take(event.target.files?.[0])} />
        <input ref={camera} type="file" accept="image/*" capture="environment" hidden onChange={(event) => void take(event.target.files?.[0])} />
      </div>
      <div className="studio-wish">
        <fieldset className="studio-kinds">
          <legend>{w.kind}</legend>
          {(c?.kinds ?? []).map((one) => (
            <label key={one.id} data-chosen={kind === one.id}>
              <input type="radio" name="kind" value={one.id} checked={kind === one.id} onChange={() => setKind(one.id)} />
              <b>{one.label}</b>
              <span className="quiet">{one.text}</span>
            </label>
          ))}
        </fieldset>
        <label>
          {w.brief}
          <textarea className="field" rows={2} value={brief} placeholder={w.briefHint} maxLength={2000} onChange={(event) => setBrief(event.target.value)} />
        </label>
        <div className="studio-two">
          <label>
            {w.name}
            <input className="field" value={name} maxLength={120} onChange={(event) => setName(event.target.value)} />
          </label>
          <label>
            {w.profile}
            <select className="field" value={profile} onChange={(event) => setProfile(event.target.value)}>
              <option value="">{w.auto}</option>
              {(profiles.value ?? []).map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                </option>
              ))}
            </select>
          </label>
        </div>
        <label>
          {w.points}
          <textarea className="field" rows={3} value={points} placeholder={w.pointsHint} maxLength={400} onChange={(event) => setPoints(event.target.value)} />
        </label>
        <div className="studio-two">
          <label>
            {w.look}
            <select className="field" value={look} onChange={(event) => setLook(event.target.value)}>
              {(c?.looks ?? []).map((one) => (
                <option key={one.id} value={one.id}>
                  {one.label}
                </option>
              ))}
            </select>
          </label>
          <label>
            {w.presentation}
            <select className="field" value={presentation} onChange={(event) => setPresentation(event.target.value)}>
              {(c?.presentations ?? []).map((one) => (
                <option key={one.id} value={one.id} disabled={one.ready === false}>
                  {one.label}
                </option>
              ))}
            </select>
          </label>
          <label>
            {w.attempts}
            <input className="field" type="number" min={1} max={c?.max_attempts?.most ?? 6} value={attempts} onChange={(event) => setAttempts(Number(event.target.value))} />
          </label>
        </div>
        {missing.length > 0 && (
          <details className="studio-missing">
            <summary>{w.missing}</summary>
            <ul>
              {missing.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </details>
        )}
        {error != null && <Trouble error={error} />}
        {can.error != null && <Trouble error={can.error} onRetry={can.reload} />}
        <button type="submit" className="button primary" disabled={busy || photo === null} aria-busy={busy}>
          {busy ? t.app.loading : w.make}
        </button>
      </div>
    </form>
  );
}

function Jobs() {
  const { t } = useSpeech();
  const w = useStudioWords();
  const { value, set } = useLoad("studio jobs", (signal) => api.jobs(null, signal));
  if (value === null) return null;
  const more = async () => {
    const page = await api.jobs(value.next);
    set({ items: [...value.items, ...page.items], next: page.next });
  };
  return (
    <section className="studio-jobs" aria-labelledby="jobs-title">
      <h2 id="jobs-title">{w.jobs}</h2>
      {value.items.length === 0 && <p className="quiet">{w.noJobs}</p>}
      <ul>
        {value.items.map((row) => (
          <li key={row.id}>
            <Link to={`/studio/${encodeURIComponent(row.id)}`}>
              {(row.picture ?? row.photo) ? <img src={`/api/v1/files/${encodeURIComponent(row.picture ?? row.photo ?? "")}?w=320`} alt="" loading="lazy" /> : <span className="studio-blank" />}
              <span dir="auto">{row.title ?? row.kind_text}</span>
              <small>
                {w.status[row.status] ?? row.status} {row.created && <When at={row.created} />}
              </small>
            </Link>
          </li>
        ))}
      </ul>
      {value.next !== null && (
        <button type="button" className="quiet-button" onClick={() => void more()}>
          {t.app.more}
        </button>
      )}
    </section>
  );
}
