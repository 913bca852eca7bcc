import { PanelLeftOpen, PanelRightOpen, MessagesSquare, SquarePen } from "lucide-react";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { go, usePlace, withQuery } from "../../app/router";
import { useSpeech, recall, remember } from "../../i18n";
import { Threads } from "../../talk/Threads";
import { useTalk } from "../../talk/useTalk";
import type { TalkWords } from "../../talk/view";
import "../../talk/talk.css";
import { Link } from "../../ui/Link";
import { useLoad } from "../../ui/load";
import { narrow } from "../../ui/narrow";
import { Panel } from "../../ui/Panel";
import { Trouble } from "../../ui/Trouble";
import { Problem } from "../../api/client";
import { ShopContext, type ShopTools } from "../shop/context";
import * as api from "./api";
import { CaseView } from "./Case";
import { IdentityForm } from "./Identity";
import { useServiceWords } from "./useWords";
import "./service.css";

const Conversation = lazy(() => import("../../talk/Conversation"));
const AGENT = "service";

/** The customer's side of the service desk: the talk, and the case it is about beside it. */
export default function Service({ thread }: { thread: string | null }) {
  const { t } = useSpeech();
  const w = useServiceWords();
  const { query } = usePlace();
  const { session, view, beat } = useTalk(thread, AGENT, "/service");
  const [listOpen, setListOpen] = useState(() => !narrow() && recall("mercer.threads") !== "closed");
  const [caseOpen, setCaseOpen] = useState(() => !narrow());
  const [turn, setTurn] = useState(0);
  const showList = (open: boolean) => {
    setListOpen(open);
    if (!narrow()) remember("mercer.threads", open ? "open" : "closed");
  };
  const words = useMemo<TalkWords>(
    () => ({ label: t.rooms.service, input: w.input, placeholder: w.placeholder, placeholderMore: w.placeholderMore, placeholderShort: w.placeholderShort, placeholderMoreShort: w.placeholderMoreShort, pictures: true, tools: w.tools }),
    [t, w],
  );
  const tools = useMemo<ShopTools>(
    () => ({ open: (id) => go(`/shop?product=${encodeURIComponent(id)}`), basket: [], full: true, toggle: () => undefined, clear: () => undefined, compare: () => undefined, ask: () => undefined }),
    [],
  );
  // a person's words and changes of the case come while the assistant is silent
  useEffect(() => {
    if (thread === null) return;
    const stop = new AbortController();
    api
      .watch(
        thread,
        (event) => {
          setTurn((n) => n + 1);
          if (event.kind === "message") void session.elsewhere();
        },
        stop.signal,
      )
      .catch(() => undefined);
    return () => stop.abort();
  }, [thread, session]);
  const done = view.status === "ready" ? view.messages.length : -1;
  const state = useLoad(thread === null ? null : `service ${thread} ${turn} ${done}`, (signal) => api.thread(thread ?? "", signal));
  const chosen = query.get("order");
  const panel = thread !== null && caseOpen;
  return (
    <ShopContext value={tools}>
      <div className="shop service" data-list={listOpen} data-panel={panel}>
        {listOpen && <div className="threads-veil" onClick={() => showList(false)} />}
        <Threads agent={AGENT} room="/service" current={thread} beat={beat} open={listOpen} onOpen={showList} />
        <div className="list-buttons">
          {!listOpen ? (
            <button type="button" className="quiet-button" onClick={() => showList(true)}>
              <PanelLeftOpen aria-hidden />
              {t.shop.conversations}
            </button>
          ) : (
            <span />
          )}
          <span>
            {thread !== null && !caseOpen && (
              <button type="button" className="quiet-button" onClick={() => setCaseOpen(true)}>
                <PanelRightOpen aria-hidden />
                {w.showCase}
              </button>
            )}
            {!listOpen && thread !== null && (
              <Link to="/service" className="icon-button" aria-label={t.shop.fresh} title={t.shop.fresh}>
                <SquarePen aria-hidden />
              </Link>
            )}
          </span>
        </div>
        {view.messages.length === 0 && !view.loading && view.error === null && (
          <div className="welcome-place">
            <div className="welcome">
              <h1>{w.hello}</h1>
              <p>{w.helloHint}</p>
              <ul className="wishes">
                {w.wishes.map((wish) => (
                  <li key={wish}>
                    <button type="button" onClick={() => void session.send(wish)}>
                      <MessagesSquare aria-hidden />
                      <span>{wish}</span>
                    </button>
                  </li>
                ))}
              </ul>
            </div>
          </div>
        )}
        <Suspense fallback={<section className="talk" aria-busy="true" />}>
          <Conversation key={session.key} session={session} view={view} draft={null} words={words} />
        </Suspense>
        {panel && (
          <Panel title={w.case} onClose={() => setCaseOpen(false)}>
            {state.value === null && state.error != null && <Trouble error={state.error} onRetry={state.reload} />}
            {state.value !== null && (
              <>
                {state.value.identity.state === "verified" ? (
                  <p className="known-as">{w.verified([state.value.identity.name, state.value.identity.email].filter(Boolean).join(" · "))}</p>
                ) : (
                  <IdentityForm
                    thread={thread}
                    identity={state.value.identity}
                    onChange={() => {
                      setTurn((n) => n + 1);
                      void session.elsewhere();
                    }}
                  />
                )}
                {state.value.hand_over != null && <p className="notice">{w.waiting(state.value.hand_over.by ?? null)}</p>}
                {state.value.identity.state === "verified" && <Beside thread={thread} state={state.value} chosen={chosen} turn={`${turn} ${done}`} />}
              </>
            )}
          </Panel>
        )}
      </div>
    </ShopContext>
  );
}

function Beside({ thread, state, chosen, turn }: { thread: string; state: api.ServiceThread; chosen: string | null; turn: string }) {
  const w = useServiceWords();
  const order = chosen ?? state.order ?? null;
  const { value, error, reload } = useLoad(`case ${thread} ${order ?? ""} ${turn}`, (signal) => api.caseOf(thread, order, signal));
  // the case stays on the page while its newer state is on the way
  const [kept, setKept] = useState<api.Case | null>(null);
  useEffect(() => {
    if (value !== null) setKept(value);
  }, [value]);
  const shown = value ?? kept;
  const missing = error instanceof Problem && error.kind === "gone";
  return (
    <>
      {(state.orders ?? []).length > 1 && (
        <label className="case-choose">
          {w.choose}
          <select className="field" value={order ?? ""} onChange={(event) => go(withQuery({ order: event.target.value || null }), "replace")}>
            {order === null && <option value="">–</option>}
            {(state.orders ?? []).map((number) => (
              <option key={number}>{number}</option>
            ))}
          </select>
        </label>
      )}
      {error != null && !missing && <Trouble error={error} onRetry={reload} />}
      {shown !== null && !missing && <CaseView of={shown} />}
    </>
  );
}
