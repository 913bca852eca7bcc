import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { go } from "../app/router";
import { Session, type View } from "../chat/session";
import { useSpeech } from "../i18n";

export type KeyedSession = Session & { key: number };

/** A conversation with one agent at the address `room/thread`, kept in step with other tabs and with a line that comes and goes. */
export function useTalk(thread: string | null, agent: string, room: string): { session: KeyedSession; view: View; /** Rises when the list of conversations may have changed. */ beat: number; /** Tells this tab and the others that a conversation changed. */ stir: (id: string) => void } {
  const { lang } = useSpeech();
  const language = useRef(lang);
  language.current = lang;
  const [beat, setBeat] = useState(0);
  const channel = useRef<BroadcastChannel | null>(null);
  const stir = useRef((id: string) => {
    setBeat((n) => n + 1);
    channel.current?.postMessage({ thread: id });
  }).current;
  const session = useSession(thread, agent, room, () => language.current, stir);
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
  const view = useSyncExternalStore(session.subscribe, session.snapshot);
  return { session, view, beat, stir };
}

/** The session of the address. A conversation that has just got its id keeps its session. */
function useSession(thread: string | null, agent: string, room: string, locale: () => string, told: (id: string) => void): Session & { key: number } {
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
          agent,
          locale,
          (id) => {
            slot.id = id;
            go(`${room}/${encodeURIComponent(id)}${location.search}`, "replace");
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
