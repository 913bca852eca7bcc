import { lazy, Suspense, useEffect } from "react";
import { useSpeech } from "../i18n";
import { Link } from "../ui/Link";
import { Boundary } from "./Boundary";
import { Frame } from "./Frame";
import { usePlace } from "./router";
import { StatusProvider, useStatus } from "./status";

const Shop = lazy(() => {
  void import("../talk/Conversation"); // side by side with the room, not after it
  return import("../rooms/shop/Shop");
});
const Runs = lazy(() => import("../rooms/runs/Runs"));
const Service = lazy(() => import("../rooms/service/Service"));
const Inbox = lazy(() => import("../rooms/service/Inbox"));
const Reviews = lazy(() => import("../rooms/reviews/Reviews"));
const Studio = lazy(() => import("../rooms/studio/Studio"));
const Data = lazy(() => import("../rooms/data/Data"));

export function App() {
  return (
    <StatusProvider>
      <House />
    </StatusProvider>
  );
}

function House() {
  const { path } = usePlace();
  const { t, lang } = useSpeech();
  const status = useStatus();
  const room = path[0] ?? "shop";
  const name = (t.rooms as Record<string, string>)[room] ?? t.rooms.shop;
  const shop = lang === "zh" ? (status?.shop.nameZh ?? status?.shop.name) : status?.shop.name;
  useEffect(() => {
    document.title = shop ? `${name} · ${shop}` : name;
  }, [name, shop]);
  return (
    <Frame room={room}>
      <Boundary key={room} title={t.app.broken} hint={t.app.brokenHint} again={t.app.reload}>
        <Suspense fallback={<div className="room-wait" aria-busy="true" />}>
          <Room room={room} id={path[1] ?? null} />
        </Suspense>
      </Boundary>
    </Frame>
  );
}

function Room({ room, id }: { room: string; id: string | null }) {
  switch (room) {
    case "shop":
      return <Shop thread={id} />;
    case "service":
      return <Service thread={id} />;
    case "inbox":
      return <Inbox id={id} />;
    case "reviews":
      return <Reviews dataset={id} />;
    case "studio":
      return <Studio job={id} />;
    case "runs":
      return <Runs id={id} />;
    case "data":
      return <Data id={id} />;
    default:
      return <Lost />;
  }
}

function Lost() {
  const { t } = useSpeech();
  return (
    <div className="page lost">
      <h1>{t.app.lost}</h1>
      <Link to="/shop">{t.app.lostHint}</Link>
    </div>
  );
}
