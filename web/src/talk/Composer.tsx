import { ComposerPrimitive, useAui } from "@assistant-ui/react";
import { ArrowUp, Camera, ImagePlus, Image as ImageIcon, Square, X } from "lucide-react";
import { useRef, useState, type ClipboardEvent, type KeyboardEvent } from "react";
import type { Condition } from "../api/types";
import type { Session, View } from "../chat/session";
import { useSpeech } from "../i18n";
import { useNarrow } from "../ui/narrow";
import { explain } from "../ui/problem";
import type { Pictures } from "./pictures";
import { useView } from "./view";

export function Composer({ session, view, pictures, onSend }: { session: Session; view: View; pictures: Pictures; onSend: (text: string) => void }) {
  const { t } = useSpeech();
  const { words } = useView();
  const aui = useAui();
  const files = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const busy = view.status === "submitted" || view.status === "streaming";

  // the field grows with its placeholder too: a short one keeps it one line high
  const small = useNarrow("(max-width: 640px)");

  // whoever is somewhere on the page already is not pulled away, and a phone's keyboard does not come up by itself
  const [focus] = useState(() => matchMedia("(hover: hover)").matches && (document.activeElement ?? document.body) === document.body);

  const submit = () => {
    if (busy) return;
    const composer = aui.composer();
    if (composer.getState().text.trim() !== "") composer.send();
    else if (pictures.items.length > 0) onSend("");
  };
  const keys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // an empty line with a picture is a message too
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing && event.currentTarget.value.trim() === "" && pictures.items.length > 0) {
      event.preventDefault();
      submit();
    }
  };
  const paste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length > 0 && words.pictures) {
      event.preventDefault();
      pictures.add(pasted);
    }
  };
  const chosen = (input: HTMLInputElement) => {
    pictures.add([...(input.files ?? [])]);
    input.value = "";
  };

  return (
    <div className="composer-box">
      <Chips session={session} view={view} pictures={pictures} busy={busy} />
      {pictures.refusal !== null && (
        <p className="composer-note" role="alert">
          {t.shop[pictures.refusal]}
        </p>
      )}
      <ComposerPrimitive.Root
        className="composer"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {words.pictures && (
          <>
        <button type="button" className="icon-button" aria-label={t.shop.picture} title={t.shop.picture} onClick={() => files.current?.click()}>
          <ImagePlus aria-hidden />
        </button>
        <button type="button" className="icon-button camera" aria-label={t.shop.camera} title={t.shop.camera} onClick={() => camera.current?.click()}>
          <Camera aria-hidden />
        </button>
        <input ref={files} type="file" accept="image/*" multiple hidden data-testid="picture" onChange={(event) => chosen(event.target)} />
        <input ref={camera} type="file" accept="image/*" capture="environment" hidden onChange={(event) => chosen(event.target)} />
          </>
        )}
        <ComposerPrimitive.Input
          className="composer-input"
          aria-label={words.input}
          placeholder={view.messages.length === 0 ? (small ? words.placeholderShort : words.placeholder) : small ? words.placeholderMoreShort : words.placeholderMore}
          rows={1}
          maxRows={6}
          maxLength={4000}
          autoFocus={focus}
          addAttachmentOnPaste={false}
          dir="auto"
          onKeyDown={keys}
          onPaste={paste}
        />
        {busy ? (
          <button type="button" className="send" aria-label={t.shop.stop} title={t.shop.stop} onClick={() => void session.stop()}>
            <Square aria-hidden />
          </button>
        ) : (
          <button type="submit" className="send" aria-label={t.shop.send} title={t.shop.send}>
            <ArrowUp aria-hidden />
          </button>
        )}
      </ComposerPrimitive.Root>
    </div>
  );
}

/** What stands: the picture that is talked about, the conditions, and the pictures for the next message. */
function Chips({ session, view, pictures, busy }: { session: Session; view: View; pictures: Pictures; busy: boolean }) {
  const { t } = useSpeech();
  const [failed, setFailed] = useState<Condition | null>(null);
  const talkedAbout = view.conditions.find((c) => c.image !== null)?.image ?? latestPicture(view);
  const drop = (condition: Condition) => {
    setFailed(null);
    session.drop(condition).catch(() => setFailed(condition));
  };
  if (view.conditions.length === 0 && pictures.items.length === 0 && talkedAbout === null) return null;
  return (
    <div className="chips">
      {(view.conditions.length > 0 || talkedAbout !== null) && (
        <ul aria-label={t.shop.understood}>
          {talkedAbout !== null && (
            <li className="chip picture-chip">
              <img src={`${talkedAbout}?w=256`} alt="" />
              {t.shop.pictureStands}
            </li>
          )}
          {view.conditions
            .filter((c) => c.image === null)
            .map((condition) => (
              <li key={condition.id} className="chip">
                <span dir="auto">{condition.label}</span>
                <button type="button" aria-label={t.shop.removeCondition(condition.label)} title={t.shop.removeCondition(condition.label)} disabled={busy} onClick={() => drop(condition)}>
                  <X aria-hidden />
                </button>
              </li>
            ))}
        </ul>
      )}
      {pictures.items.length > 0 && (
        <ul aria-label={t.shop.picture}>
          {pictures.items.map((item) => (
            <li key={item.key} className="chip picture-chip" data-state={item.state}>
              {item.picture ? <img src={`${item.picture.url}?w=256`} alt="" /> : <ImageIcon aria-hidden />}
              <span className="chip-name" title={item.name}>
                {item.state === "uploading" ? t.shop.uploading : item.state === "failed" ? explain(item.error, t.problem) : item.name}
              </span>
              {item.state === "failed" && (
                <button type="button" className="chip-text" onClick={() => pictures.retry(item.key)}>
                  {t.app.retry}
                </button>
              )}
              <button type="button" aria-label={t.shop.removePicture} title={t.shop.removePicture} onClick={() => pictures.remove(item.key)}>
                <X aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      {failed !== null && (
        <p className="composer-note" role="alert">
          {t.shop.conditionKept(failed.label)}
        </p>
      )}
    </div>
  );
}

function latestPicture(view: View): string | null {
  for (const message of [...view.messages].reverse()) {
    const part = message.role === "user" ? message.parts.find((p) => p.type === "file" && p.url?.startsWith("/")) : undefined;
    if (part?.url) return part.url;
  }
  return null;
}
