import { PanelLeftOpen, SquarePen } from "lucide-react";
import { useCallback, useMemo, useState, lazy, Suspense } from "react";
import { go, usePlace, withQuery } from "../../app/router";
import { recall, remember, useSpeech } from "../../i18n";
import { Boundary } from "../../app/Boundary";
import { Link } from "../../ui/Link";
import { narrow } from "../../ui/narrow";
import { Compared } from "./Compared";
import { ShopContext, type ShopTools } from "./context";
import { Threads } from "../../talk/Threads";
import { useTalk } from "../../talk/useTalk";
import type { TalkWords } from "../../talk/view";
import { Welcome } from "./Welcome";
import "../../talk/talk.css";

/** The talk is the heavy part; the room and its first words are painted while it comes. */
const Conversation = lazy(() => import("../../talk/Conversation"));
const ProductPanel = lazy(() => import("./ProductPanel"));
const ComparePanel = lazy(() => import("./ComparePanel"));

const AGENT = "shopping";
const MOST = 4;

/** The shop: conversations on the left, the talk in the middle, a product or a comparison on the right. */
export default function Shop({ thread }: { thread: string | null }) {
  const { t } = useSpeech();
  const { query } = usePlace();
  const { session, view, beat } = useTalk(thread, AGENT, "/shop");
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
  const words = useMemo<TalkWords>(
    () => ({ label: t.rooms.shop, input: t.shop.input, placeholder: t.shop.placeholder, placeholderMore: t.shop.placeholderMore, placeholderShort: t.shop.placeholderShort, placeholderMoreShort: t.shop.placeholderMoreShort, pictures: true, tools: t.shop.tools }),
    [t],
  );
  const closePanel = () => go(withQuery({ product: null, compare: null, view: null }));
  const [listOpen, setListOpen] = useState(() => !narrow() && recall("mercer.threads") !== "closed");
  const showList = (open: boolean) => {
    setListOpen(open);
    if (!narrow()) remember("mercer.threads", open ? "open" : "closed");
  };

  return (
    <ShopContext value={tools}>
      <div className="shop" data-panel={product !== null || compared.length > 0} data-list={listOpen}>
        {listOpen && <div className="threads-veil" onClick={() => showList(false)} />}
        <Threads agent={AGENT} room="/shop" current={thread} beat={beat} open={listOpen} onOpen={showList} />
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
          <Conversation key={session.key} session={session} view={view} draft={draft} words={words} foot={compared.length > 0 ? null : <Compared />} />
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
