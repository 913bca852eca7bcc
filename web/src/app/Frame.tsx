import { Activity, Database, Languages, Menu, Moon, PanelLeftClose, PanelLeftOpen, ShoppingBag, Sun, X } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { recall, remember, useSpeech } from "../i18n";
import { Link } from "../ui/Link";
import { useStatus } from "./status";

const rooms = [
  { key: "shop", to: "/shop", icon: ShoppingBag },
  { key: "runs", to: "/runs", icon: Activity },
  { key: "data", to: "/data", icon: Database },
] as const;

export function Frame({ room, children }: { room: string; children: ReactNode }) {
  const { t } = useSpeech();
  const [folded, setFolded] = useState(() => recall("mercer.rail") === "folded");
  const drawer = useRef<HTMLDialogElement>(null);
  const fold = () => {
    setFolded(!folded);
    remember("mercer.rail", folded ? "open" : "folded");
  };
  useEffect(() => drawer.current?.close(), [room]);
  return (
    <div className="frame" data-folded={folded}>
      <a className="skip" href="#content">
        {t.app.skip}
      </a>
      <header className="top">
        <button type="button" className="icon-button menu-button" aria-label={t.app.menu} onClick={() => drawer.current?.showModal()}>
          <Menu aria-hidden />
        </button>
        <Brand />
        <div className="top-tools">
          <ModelDot />
          <LanguageSwitch />
          <ThemeSwitch />
        </div>
      </header>
      <nav className="rail" aria-label={t.app.rooms}>
        <RoomLinks room={room} />
        <button type="button" className="rail-fold" onClick={fold} aria-expanded={!folded} title={folded ? t.app.expand : t.app.collapse}>
          {folded ? <PanelLeftOpen aria-hidden /> : <PanelLeftClose aria-hidden />}
          <span>{folded ? t.app.expand : t.app.collapse}</span>
        </button>
      </nav>
      <dialog ref={drawer} className="drawer" aria-label={t.app.menu} onClick={(event) => event.target === drawer.current && drawer.current.close()}>
        <div className="drawer-body">
          <button type="button" className="icon-button" aria-label={t.app.close} onClick={() => drawer.current?.close()}>
            <X aria-hidden />
          </button>
          <nav aria-label={t.app.rooms}>
            <RoomLinks room={room} />
          </nav>
        </div>
      </dialog>
      <main id="content" className="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function RoomLinks({ room }: { room: string }) {
  const { t } = useSpeech();
  return (
    <ul className="rooms">
      {rooms.map(({ key, to, icon: Icon }) => (
        <li key={key}>
          <Link to={to} className="room-link" aria-current={room === key ? "page" : undefined} title={t.rooms[key]}>
            <Icon aria-hidden />
            <span>{t.rooms[key]}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Brand() {
  const { lang } = useSpeech();
  const status = useStatus();
  return (
    <Link to="/shop" className="brand">
      <svg viewBox="0 0 32 32" aria-hidden className="seal">
        <rect x="1" y="1" width="30" height="30" rx="7" />
        <path d="M8.5 23V9.5h2.6L16 17.2l4.9-7.7h2.6V23h-2.7v-8.8L16 21.6l-4.8-7.4V23z" />
      </svg>
      <span className="brand-name">{(lang === "zh" ? status?.shop.nameZh : null) ?? status?.shop.name ?? "Mercer"}</span>
    </Link>
  );
}

const inPageLanguage = (said: string | null, lang: string): boolean => said !== null && /[\u4e00-\u9fff]/.test(said) === (lang === "zh");

function ModelDot() {
  const { t, lang } = useSpeech();
  const status = useStatus();
  const state = status?.model.state ?? "unknown";
  const label = t.model[state];
  const reason =
    status === null
      ? t.model.unknownHint
      : state === "model"
        ? t.model.modelHint(status.model.name ?? "–")
        : state === "trouble"
          ? `${t.model.troubleHint} ${status.model.reason ?? ""}`.trim()
          : inPageLanguage(status.model.reason, lang)
            ? status.model.reason
            : t.model.rulesHint;
  return (
    <div className="model-dot" data-state={state}>
      <button type="button" aria-describedby="model-reason">
        <i aria-hidden />
        <span>{label}</span>
      </button>
      <div id="model-reason" role="tooltip" className="bubble">
        {reason}
      </div>
    </div>
  );
}

function LanguageSwitch() {
  const { t, lang, setLang } = useSpeech();
  return (
    <button type="button" className="quiet-button" lang={lang === "zh" ? "en" : "zh-CN"} title={t.app.languageHint} onClick={() => setLang(lang === "zh" ? "en" : "zh")}>
      <Languages aria-hidden />
      <span>{t.app.language}</span>
    </button>
  );
}

function ThemeSwitch() {
  const { t } = useSpeech();
  const [theme, setTheme] = useState(() => document.documentElement.dataset.theme ?? "light");
  const other = theme === "dark" ? "light" : "dark";
  const label = other === "dark" ? t.app.toDark : t.app.toLight;
  const change = () => {
    document.documentElement.dataset.theme = other;
    remember("mercer.theme", other);
    setTheme(other);
  };
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={change}>
      {other === "dark" ? <Moon aria-hidden /> : <Sun aria-hidden />}
    </button>
  );
}
