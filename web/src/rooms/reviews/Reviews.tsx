import { Plus, Trash2 } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { go, usePlace, withQuery } from "../../app/router";
import { useSpeech } from "../../i18n";
import { useLoad } from "../../ui/load";
import { Trouble } from "../../ui/Trouble";
import { When } from "../../ui/When";
import * as api from "./api";
import { Ask } from "./Ask";
import { Behind } from "./Behind";
import { Bring } from "./Bring";
import { Complaints } from "./Complaints";
import { Overview } from "./Overview";
import { Products } from "./Products";
import { Segments } from "./Segments";
import { Topics } from "./Topics";
import { OpenContext, useReviewWords } from "./useWords";
import "./reviews.css";

const VIEWS = ["overview", "complaints", "topics", "segments", "products", "reviews"] as const;

/** The reviews room: a data set, what it says, and an ask box over it. Every number opens the reviews behind it. */
export default function Reviews({ dataset }: { dataset: string | null }) {
  const w = useReviewWords();
  const { query } = usePlace();
  const [beat, setBeat] = useState(0);
  const { value, error, slow, reload } = useLoad(`datasets ${beat}`, (signal) => api.datasets(signal));
  const known = value ?? [];
  const bringing = dataset === "new" || dataset?.startsWith("import:") === true;
  const current = bringing ? null : (known.find((one) => one.id === dataset) ?? (dataset === null ? (known[0] ?? null) : null));
  const [opened, setOpened] = useState<{ filter: api.Filter; title: string } | null>(null);
  const open = useCallback((filter: api.Filter, title: string) => setOpened({ filter, title }), []);
  useEffect(() => setOpened(null), [dataset]);
  const view = VIEWS.find((name) => name === query.get("view")) ?? "overview";
  const [removing, setRemoving] = useState(false);
  return (
    <OpenContext value={open}>
      <div className="reviews" data-panel={opened !== null && current !== null}>
        <div className="reviews-main">
          <div className="page">
            <header className="page-head reviews-head">
              <div>
                <h1>{w.title}</h1>
                <p>{w.lead}</p>
              </div>
              <div className="reviews-tools">
                {known.length > 0 && !bringing && (
                  <label>
                    <span className="visually-hidden">{w.choose}</span>
                    <select className="field" value={current?.id ?? ""} onChange={(event) => go(`/reviews/${encodeURIComponent(event.target.value)}`)}>
                      {known.map((one) => (
                        <option key={one.id} value={one.id}>
                          {one.name ?? one.id}
                        </option>
                      ))}
                    </select>
                  </label>
                )}
                <button type="button" className="button" onClick={() => go("/reviews/new")}>
                  <Plus aria-hidden />
                  {w.bring}
                </button>
                {current !== null && !current.demo && (
                  <button type="button" className="icon-button" aria-label={w.remove} title={w.remove} onClick={() => setRemoving(true)}>
                    <Trash2 aria-hidden />
                  </button>
                )}
              </div>
            </header>
            {error != null && value === null && <Trouble error={error} onRetry={reload} />}
            {value === null && error == null && slow && <div className="skeleton-lines" aria-hidden />}
            {bringing && <Bring job={dataset?.startsWith("import:") ? dataset.slice(7) : null} onDone={() => setBeat((n) => n + 1)} />}
            {value !== null && !bringing && current === null && <p className="quiet">{w.none}</p>}
            {current !== null && (
              <>
                <p className="reviews-about">
                  {current.demo && (
                    <span className="demo" title={w.demoHint}>
                      {w.demo}
                    </span>
                  )}
                  {current.updated && (
                    <span className="quiet">
                      {w.updated} <When at={current.updated} />
                    </span>
                  )}
                </p>
                <Ask key={current.id} dataset={current.id} />
                <nav className="filters" aria-label={w.title}>
                  {VIEWS.map((name) => (
                    <button key={name} type="button" aria-pressed={view === name} onClick={() => go(withQuery({ view: name === "overview" ? null : name }))}>
                      {w.kinds[name]}
                    </button>
                  ))}
                </nav>
                {view === "overview" && <Overview key={`${current.id} ${current.version ?? 0}`} dataset={current} />}
                {view === "complaints" && <Complaints dataset={current} />}
                {view === "topics" && <Topics dataset={current} />}
                {view === "segments" && <Segments dataset={current} />}
                {view === "products" && <Products dataset={current} />}
                {view === "reviews" && <Behind dataset={current.id} filter={NO_FILTER} title={w.kinds.reviews ?? ""} inline />}
              </>
            )}
          </div>
        </div>
        {opened !== null && current !== null && <Behind key={JSON.stringify(opened.filter)} dataset={current.id} filter={opened.filter} title={opened.title} onClose={() => setOpened(null)} />}
        {removing && current !== null && (
          <Remove
            dataset={current}
            onNo={() => setRemoving(false)}
            onYes={() => {
              setRemoving(false);
              setBeat((n) => n + 1);
              go("/reviews");
            }}
          />
        )}
      </div>
    </OpenContext>
  );
}

const NO_FILTER: api.Filter = {};

function Remove({ dataset, onNo, onYes }: { dataset: api.Dataset; onNo: () => void; onYes: () => void }) {
  const { t } = useSpeech();
  const w = useReviewWords();
  const self = useRef<HTMLDialogElement>(null);
  const [error, setError] = useState<unknown>(null);
  const name = useMemo(() => dataset.name ?? dataset.id, [dataset]);
  useEffect(() => self.current?.showModal(), []);
  return (
    <dialog ref={self} className="ask" aria-labelledby="remove-title" onClose={onNo}>
      <h2 id="remove-title">{w.removeAsk}</h2>
      <p>
        {name}. {w.removeHint}
      </p>
      {error != null && <Trouble error={error} />}
      <div className="ask-buttons">
        <button type="button" className="button" onClick={onNo} autoFocus>
          {t.shop.keep}
        </button>
        <button type="button" className="button danger" onClick={() => void api.remove(dataset.id).then(onYes, setError)}>
          {t.shop.remove}
        </button>
      </div>
    </dialog>
  );
}
