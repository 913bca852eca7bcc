import { PanelLeftOpen, SquarePen } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore, lazy, Suspense } from "react";
import { go, usePlace, withQuery } from "../../app/router";
import { Session } from "../../chat/session";
import { recall, remember, useSpeech } from "../../i18n";
import { Boundary } from "../../app/Boundary";
import { Link } from "../../ui/Link";
import { narrow } from "../../ui/narrow";
import { ShopContext, type ShopTools } from "./context";
import { Threads } from "./Threads";
import { Welcome } from "./Welcome";
import "./shop.css";

/** The talk is the heavy part; the room and its first words are painted while it comes. */
const Conversation = lazy(() => import("./Conversation"));
const ProductPanel = lazy(() => import("./ProductPanel"));
const ComparePanel = lazy(() => import("./ComparePanel"));

const AGENT = "shopping";
const MOST = 4;

/** The shop: conversations on the left, the talk in the middle, a product or a comparison on the right. */
export default function Shop({ thread }: { thread: string | null }) {
  const { t, lang } = useSpeech();
  const { query } = usePlace();
  const language = useRef(lang);
  language.current = lang;
  const [beat, setBeat] = useState(0);
  const channel = useRef<BroadcastChannel | null>(null);
  const session = useSession(thread, () => language.current, (id) => {
    setBeat((n) => n + 1);
    channel.current?.postMessage({ thread: id });
  });
  const live = useRef(session);
  live.current = session;

  useEffect(() => {
    if (typeof BroadcastChannel === "undefined") return;
    const others = new BroadcastChannel("mercer.threads");
    channel.current = others;
    others.onmessage = (event: MessageEvent<{ thread?: string }>) => {
      setBeat((n) => n + 1);
      if (event.data?.thread === live.current.snapshot().id) void live.current.elsewhere();
    };
    return () => {
      channel.current = null;
      others.close();
    };
  }, []);
  useEffect(() => {
    const online = () => void live.current.online();
    window.addEventListener("online", online);
    return () => window.removeEventListener("online", online);
  }, []);

  const [basket, setBasket] = useState<{ id: string; title: string }[]>([]);
  const compared = useMemo(() => query.get("compare")?.split(",").filter(Boolean) ?? [], [query]);
  const product = query.get("product");
  const [draft, setDraft] = useState<{ text: string } | null>(null);
  const toggle = useCallback((card: { id: string; title: string }) => {
    setBasket((old) => (old.some((c) => c.id === card.id) ? old.filter((c) => c.id !== card.id) : old.length >= MOST ? old : [...old, { id: card.id, title: card.title }]));
  }, []);
  const tools = useMemo<ShopTools>(
    () => ({
      open: (id, alike) => go(withQuery({ product: id, compare: null, view: alike ? "alike" : null })),
      basket,
      full: basket.length >= MOST,
      toggle,
      clear: () => setBasket([]),
      compare: () => go(withQuery({ compare: basket.map((c) => c.id).join(","), product: null, view: null })),
      ask: (text) => {
        setDraft({ text });
      },
    }),
    [basket, toggle],
  );
  const closePanel = () => go(withQuery({ product: null, compare: null, view: null }));
  const view = useSyncExternalStore(session.subscribe, session.snapshot);
  const [listOpen, setListOpen] = useState(() => !narrow() && recall("mercer.threads") !== "closed");
  const showList = (open: boolean) => {
    setListOpen(open);
    if (!narrow()) remember("mercer.threads", open ? "open" : "closed");
  };

  return (
    <ShopContext value={tools}>
      <div className="shop" data-panel={product !== null || compared.length > 0} data-list={listOpen}>
        {listOpen && <div className="threads-veil" onClick={() => showList(false)} />}
        <Threads current={thread} beat={beat} open={listOpen} onOpen={showList} />
        {!listOpen && (
          <div className="list-buttons">
            <button type="button" className="quiet-button" onClick={() => showList(true)}>
              <PanelLeftOpen aria-hidden />
              {t.shop.conversations}
            </button>
            {thread !== null && (
              <Link to="/shop" className="icon-button" aria-label={t.shop.fresh} title={t.shop.fresh}>
                <SquarePen aria-hidden />
              </Link>
            )}
          </div>
        )}
        {view.messages.length === 0 && !view.loading && view.error === null && <Welcome onWish={(wish) => void session.send(wish)} />}
        <Suspense fallback={<Before />}>
          <Conversation key={session.key} session={session} view={view} draft={draft} comparing={compared.length > 0} />
        </Suspense>
        {(product !== null || compared.length > 0) && (
          <Boundary key={product ?? compared.join()} title={t.app.broken} hint={t.app.brokenHint} again={t.app.reload}>
            <Suspense fallback={<aside className="panel" aria-busy="true" />}>
              {product !== null ? <ProductPanel id={product} alike={query.get("view") === "alike"} onClose={closePanel} /> : <ComparePanel ids={compared} onClose={closePanel} />}
            </Suspense>
          </Boundary>
        )}
      </div>
    </ShopContext>
  );
}

/** What is painted before the talk has been loaded. */
function Before() {
  return (
    <section className="talk" aria-busy="true">
      <div className="talk-root">
        <div className="talk-view">
          <div className="talk-messages" />
          <div className="talk-foot">
            <div className="composer-box">
              <div className="composer composer-before" />
            </div>
          </div>
        </div>
      </div>
    </section>
  );
}

/** The session of the address. A conversation that has just got its id keeps its session. */
function useSession(thread: string | null, locale: () => string, told: (id: string) => void): Session & { key: number } {
  const tell = useRef(told);
  tell.current = told;
  const held = useRef<{ session: Session & { key: number }; id: string | null } | null>(null);
  if (held.current === null || held.current.id !== thread) {
    held.current?.session.close();
    const slot: { session: Session & { key: number }; id: string | null } = {
      id: thread,
      session: Object.assign(
        new Session(
          thread,
          AGENT,
          locale,
          (id) => {
            slot.id = id;
            go(`/shop/${encodeURIComponent(id)}${location.search}`, "replace");
          },
          (id) => tell.current(id),
        ),
        { key: Math.random() },
      ),
    };
    held.current = slot;
  }
  const { session } = held.current;
  useEffect(() => {
    void session.open();
  }, [session]);
  useEffect(() => () => void held.current?.session.pause(), []);
  return session;
}
