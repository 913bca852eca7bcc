import { AssistantRuntimeProvider, ThreadPrimitive, useExternalStoreRuntime, type AppendMessage } from "@assistant-ui/react";
import { ArrowDown } from "lucide-react";
import { useEffect, useMemo, useRef, useState, type DragEvent, type ReactNode } from "react";
import { convert } from "../chat/convert";
import type { Session, View } from "../chat/session";
import type { ChatMessage } from "../chat/types";
import { useSpeech } from "../i18n";
import { Trouble } from "../ui/Trouble";
import { Composer } from "./Composer";
import { ViewContext, type TalkWords } from "./view";
import { AssistantMessage, UserMessage } from "./Messages";
import { usePictures } from "./pictures";

const components = { UserMessage, AssistantMessage };

export default function Conversation({ session, view, draft, words, foot = null }: { session: Session; view: View; draft: { text: string } | null; words: TalkWords; /** What stands above the composer. */ foot?: ReactNode }) {
  const { t } = useSpeech();
  const pictures = usePictures();
  const busy = view.status === "submitted" || view.status === "streaming";
  const send = async (text: string) => {
    const ready = await pictures.take();
    if (ready !== null) await session.send(text, ready);
  };
  const runtime = useExternalStoreRuntime<ChatMessage>({
    messages: view.messages,
    isRunning: busy,
    convertMessage: convert,
    onNew: async (message: AppendMessage) => send(message.content.map((part) => (part.type === "text" ? part.text : "")).join("")),
    onCancel: () => session.stop(),
  });
  useEffect(() => {
    if (draft !== null) {
      runtime.thread.composer.setText(draft.text);
      document.querySelector<HTMLTextAreaElement>(".composer textarea")?.focus();
    }
  }, [draft, runtime]);

  // the engine is not needed to paint, only to send: it comes while nothing else is to be done
  useEffect(() => {
    const fetchEngine = () => void import("../chat/engine").catch(() => undefined);
    if (typeof requestIdleCallback !== "function") {
      const timer = setTimeout(fetchEngine, 1_500);
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(fetchEngine, { timeout: 3_000 });
    return () => cancelIdleCallback(idle);
  }, []);

  const [dragging, setDragging] = useState(false);
  const depth = useRef(0);
  const drag = {
    onDragEnter: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      depth.current++;
      setDragging(true);
    },
    onDragOver: (event: DragEvent) => event.dataTransfer.types.includes("Files") && event.preventDefault(),
    onDragLeave: () => {
      depth.current = Math.max(0, depth.current - 1);
      if (depth.current === 0) setDragging(false);
    },
    onDrop: (event: DragEvent) => {
      depth.current = 0;
      setDragging(false);
      if (event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      pictures.add([...event.dataTransfer.files]);
    },
  };

  // a conversation that is opened again begins at its last question, not at the end of the last answer's cards
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (view.loading) return;
    let frame = 0;
    let left = 20; // the messages are there a few frames after their data
    const seek = () => {
      const last = [...(scroller.current?.querySelectorAll(".said-by-user") ?? [])].at(-1);
      if (last) bring(scroller.current, last);
      else if (left-- > 0) frame = requestAnimationFrame(seek);
    };
    seek();
    return () => cancelAnimationFrame(frame);
  }, [view.loading]);

  // a question just asked comes to the top, so that its answer has the room; the anchor of the list alone misses some on small screens
  const asked = view.messages.filter((m) => m.role === "user").length;
  const before = useRef<number | null>(null);
  useEffect(() => {
    const rose = before.current !== null && asked > before.current;
    if (!view.loading) before.current = asked;
    if (!rose) return;
    const timers = [60, 400].map((wait) =>
      setTimeout(() => {
        const list = scroller.current;
        const last = [...(list?.querySelectorAll(".said-by-user") ?? [])].at(-1);
        if (!list || !last) return;
        const place = last.getBoundingClientRect().top - list.getBoundingClientRect().top;
        if (place < 0 || place > list.clientHeight / 2) bring(list, last);
      }, wait),
    );
    return () => timers.forEach(clearTimeout);
  }, [asked, view.loading]);

  const empty = view.messages.length === 0 && !view.loading;
  const shown = useMemo(() => ({ view, session, words }), [view, session, words]);
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <ViewContext value={shown}>
        <section className="talk" aria-label={words.label} data-empty={empty} {...(words.pictures ? drag : {})}>
          <ThreadPrimitive.Root className="talk-root">
            <ThreadPrimitive.Viewport ref={scroller} className="talk-view" turnAnchor="top" scrollToBottomOnInitialize={false} scrollToBottomOnThreadSwitch={false}>
              {view.loading && <Waiting />}
              <div className="talk-messages">
                <ThreadPrimitive.Messages components={components} />
                {view.error !== null && !busy && (
                  <div className="talk-trouble">
                    <Trouble error={view.error} {...(view.reconnecting ? {} : { onRetry: () => void (view.messages.length === 0 ? session.open() : session.retry()) })} />
                  </div>
                )}
              </div>
            <ThreadPrimitive.ViewportFooter className="talk-foot">
              <ThreadPrimitive.ScrollToBottom className="to-end icon-button" aria-label={t.shop.toEnd} title={t.shop.toEnd}>
                <ArrowDown aria-hidden />
              </ThreadPrimitive.ScrollToBottom>
              {foot}
              <Composer session={session} view={view} pictures={pictures} onSend={(text) => void send(text)} />
            </ThreadPrimitive.ViewportFooter>
            </ThreadPrimitive.Viewport>
          </ThreadPrimitive.Root>
          {dragging && (
            <div className="drop-here" aria-hidden>
              <span>{t.shop.dropHere}</span>
            </div>
          )}
          <Announcer view={view} />
        </section>
      </ViewContext>
    </AssistantRuntimeProvider>
  );
}

/** Scrolls the list alone: `scrollIntoView` would move the frame around it as well. */
function bring(list: HTMLElement | null, element: Element): void {
  if (list !== null) list.scrollTop += element.getBoundingClientRect().top - list.getBoundingClientRect().top - 16;
}

function Waiting() {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return slow ? (
    <div className="talk-skeleton" aria-hidden>
      <i />
      <i />
      <i />
    </div>
  ) : null;
}

/** Tells a screen reader when an answer begins and what it said when it is done; not each word as it comes. */
function Announcer({ view }: { view: View }) {
  const { t } = useSpeech();
  const [said, setSaid] = useState("");
  const before = useRef(view.status);
  useEffect(() => {
    const was = before.current;
    before.current = view.status;
    if (view.status === "submitted" && was !== "submitted") setSaid(t.shop.thinking);
    if (view.status === "ready" && (was === "streaming" || was === "submitted")) {
      const last = view.messages.at(-1);
      setSaid(last?.role === "assistant" ? last.parts.map((p) => (p.type === "text" ? (p.text ?? "") : "")).join(" ").trim() : "");
    }
  }, [view, t]);
  return (
    <div className="visually-hidden" aria-live="polite">
      {said}
    </div>
  );
}

