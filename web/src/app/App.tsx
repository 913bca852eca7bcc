import { lazy, Suspense, useEffect } from "react";
import { useSpeech } from "../i18n";
import { Link } from "../ui/Link";
import { Boundary } from "./Boundary";
import { Frame } from "./Frame";
import { usePlace } from "./router";
import { StatusProvider, useStatus } from "./status";

const Shop = lazy(() => {
  void import("../rooms/shop/Conversation"); // side by side with the room, not after it
  return import("../rooms/shop/Shop");
});
const Runs = lazy(() => import("../rooms/runs/Runs"));
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
  const name = room === "runs" ? t.rooms.runs : room === "data" ? t.rooms.data : t.rooms.shop;
  const shop = lang === "zh" ? (status?.shop.nameZh ?? status?.shop.name) : status?.shop.name;
  useEffect(() => {
    document.title = shop ? `${name} · ${shop}` : name;
  }, [name, shop]);
  return (
    <Frame room={room}>
      <Boundary key={room} title={t.app.broken} hint={t.app.brokenHint} again={t.app.reload}>
        <Suspense fallback={<div className="room-wait" aria-busy="true" />}>
          {room === "shop" ? <Shop thread={path[1] ?? null} /> : room === "runs" ? <Runs id={path[1] ?? null} /> : room === "data" ? <Data id={path[1] ?? null} /> : <Lost />}
        </Suspense>
      </Boundary>
    </Frame>
  );
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
