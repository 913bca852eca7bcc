import { X } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { useSpeech } from "../i18n";

/** The side panel: evidence, a product, a step. It takes the focus when it opens and gives it back when it closes; Escape closes it. */
export function Panel({ title, wide, onClose, children }: { title: string; wide?: boolean; onClose: () => void; children: ReactNode }) {
  const { t } = useSpeech();
  const self = useRef<HTMLElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const before = document.activeElement;
    self.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <aside
      ref={self}
      className="panel"
      data-wide={wide === true}
      aria-label={title}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.stopPropagation();
          close.current();
        }
      }}
    >
      <header className="panel-head">
        <h2>{title}</h2>
        <button type="button" className="icon-button" aria-label={t.app.close} title={t.app.close} onClick={onClose}>
          <X aria-hidden />
        </button>
      </header>
      <div className="panel-body">{children}</div>
    </aside>
  );
}
