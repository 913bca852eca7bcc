import { MoreHorizontal, PanelLeftClose, Pencil, Plus, Trash2 } from "lucide-react";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import * as api from "../api/client";
import type { ThreadRow } from "../api/types";
import { go } from "../app/router";
import { useSpeech } from "../i18n";
import { Link } from "../ui/Link";
import { useLoad } from "../ui/load";
import { narrow } from "../ui/narrow";
import { Trouble } from "../ui/Trouble";
import { When } from "../ui/When";

/** The conversations with one agent; `room` is the address they open at. */
export function Threads({ agent, room, current, beat, open, onOpen }: { agent: string; room: string; current: string | null; beat: number; open: boolean; onOpen: (open: boolean) => void }) {
  const { t } = useSpeech();
  const { value, error, slow, reload, set } = useLoad(`threads ${agent}`, (signal) => api.threads(agent, null, signal));
  const [removing, setRemoving] = useState<ThreadRow | null>(null);
  const first = useRef(true);
  useEffect(() => {
    if (first.current) first.current = false;
    else reload();
  }, [beat, reload]);

  const rename = async (row: ThreadRow, title: string) => {
    if (value === null || title === row.title) return;
    const before = value;
    set({ ...value, items: value.items.map((r) => (r.id === row.id ? { ...r, title } : r)) });
    try {
      await api.renameThread(row.id, title);
    } catch {
      set(before);
    }
  };
  const remove = async (row: ThreadRow) => {
    setRemoving(null);
    await api.deleteThread(row.id);
    if (value !== null) set({ ...value, items: value.items.filter((r) => r.id !== row.id) });
    if (row.id === current) go(room);
  };
  const more = async () => {
    if (value?.next == null) return;
    const page = await api.threads(agent, value.next);
    set({ items: [...value.items, ...page.items.filter((r) => !value.items.some((old) => old.id === r.id))], next: page.next });
  };
  const picked = () => narrow() && onOpen(false);

  return (
    <section className="threads" aria-label={t.shop.conversations} hidden={!open} onKeyDown={(event) => event.key === "Escape" && picked()}>
      <header>
        <h2>{t.shop.conversations}</h2>
        <button type="button" className="icon-button" aria-label={t.app.close} title={t.app.close} onClick={() => onOpen(false)}>
          <PanelLeftClose aria-hidden />
        </button>
      </header>
      <Link to={room} className="button fresh" onClick={picked}>
        <Plus aria-hidden />
        {t.shop.fresh}
      </Link>
      {error != null && value === null && <Trouble error={error} onRetry={reload} />}
      {value === null && error == null && slow && <div className="skeleton-lines" aria-hidden />}
      {value !== null && value.items.length === 0 && <p className="quiet">{t.shop.noThreads}</p>}
      {value !== null && (
        <ul>
          {value.items.map((row) => (
            <Row key={row.id} to={`${room}/${encodeURIComponent(row.id)}`} row={row} current={row.id === current} onRename={(title) => void rename(row, title)} onRemove={() => setRemoving(row)} onPick={picked} />
          ))}
        </ul>
      )}
      {value?.next != null && (
        <button type="button" className="quiet-button" onClick={() => void more()}>
          {t.app.more}
        </button>
      )}
      {removing && <Ask row={removing} onYes={() => remove(removing)} onNo={() => setRemoving(null)} />}
    </section>
  );
}

function Row({ row, to, current, onRename, onRemove, onPick }: { row: ThreadRow; to: string; current: boolean; onRename: (title: string) => void; onRemove: () => void; onPick: () => void }) {
  const { t } = useSpeech();
  const [naming, setNaming] = useState(false);
  const [open, setOpen] = useState(false);
  const self = useRef<HTMLLIElement>(null);
  const name = row.title ?? t.shop.untitled;
  useEffect(() => {
    if (!open) return;
    const away = (event: Event) => {
      if (!self.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", away);
    return () => document.removeEventListener("pointerdown", away);
  }, [open]);
  const done = (value: string) => {
    setNaming(false);
    if (value.trim() !== "") onRename(value.trim());
  };
  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") done(event.currentTarget.value);
    if (event.key === "Escape") setNaming(false);
  };
  return (
    <li ref={self} data-current={current} onKeyDown={(event) => event.key === "Escape" && setOpen(false)}>
      {naming ? (
        <input className="field" aria-label={t.shop.name} defaultValue={row.title ?? ""} autoFocus maxLength={120} onFocus={(event) => event.target.select()} onKeyDown={keys} onBlur={(event) => done(event.target.value)} />
      ) : (
        <>
          <Link to={to} className="thread-link" aria-current={current ? "page" : undefined} onClick={onPick}>
            <span className="thread-title" dir="auto">
              {name}
            </span>
            <small>{["running", "queued", "busy"].includes(row.status ?? "") ? t.shop.running : <When at={row.updated} />}</small>
          </Link>
          <button type="button" className="icon-button" aria-label={`${t.app.menu}: ${name}`} aria-expanded={open} onClick={() => setOpen(!open)}>
            <MoreHorizontal aria-hidden />
          </button>
          {open && (
            <div className="menu">
              <button
                type="button"
                onClick={() => {
                  setOpen(false);
                  setNaming(true);
                }}
              >
                <Pencil aria-hidden />
                {t.shop.rename}
              </button>
              <button
                type="button"
                onClick={() => {
                  setOpen(false);
                  onRemove();
                }}
              >
                <Trash2 aria-hidden />
                {t.shop.remove}
              </button>
            </div>
          )}
        </>
      )}
    </li>
  );
}

function Ask({ row, onYes, onNo }: { row: ThreadRow; onYes: () => Promise<void>; onNo: () => void }) {
  const { t } = useSpeech();
  const self = useRef<HTMLDialogElement>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => self.current?.showModal(), []);
  return (
    <dialog ref={self} className="ask" aria-labelledby="ask-title" onClose={onNo} onClick={(event) => event.target === self.current && onNo()}>
      <h2 id="ask-title">{t.shop.removeAsk}</h2>
      <p>{t.shop.removeHint(row.title ?? t.shop.untitled)}</p>
      {error != null && <Trouble error={error} />}
      <div className="ask-buttons">
        <button type="button" className="button" onClick={onNo} autoFocus>
          {t.shop.keep}
        </button>
        <button type="button" className="button danger" onClick={() => void onYes().catch(setError)}>
          {t.shop.remove}
        </button>
      </div>
    </dialog>
  );
}
