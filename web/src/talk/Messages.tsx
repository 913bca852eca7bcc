import { MessagePrimitive, useAuiState, type DataMessagePartProps, type ImageMessagePartProps, type TextMessagePartProps, type ToolCallMessagePartProps } from "@assistant-ui/react";
import { Check, ChevronRight, Search, TriangleAlert } from "lucide-react";
import { lazy, memo, Suspense, useMemo, useState, type ComponentType } from "react";
import { cards as readCards, object, text as readText } from "../api/read";
import { countOf, gist, type ToolStep } from "../chat/convert";
import { useSpeech } from "../i18n";
import { Markdown } from "../ui/Markdown";
import { Cards } from "../rooms/shop/Cards";
import { CitedMessage, CitedWords, Sources } from "./Sources";
import { useView } from "./view";

export function UserMessage() {
  const { t } = useSpeech();
  return (
    <MessagePrimitive.Root className="said said-by-user">
      <span className="visually-hidden">{t.shop.you}</span>
      <MessagePrimitive.Parts components={userParts} />
    </MessagePrimitive.Root>
  );
}

export function AssistantMessage() {
  const { t } = useSpeech();
  const { view } = useView();
  const message = useAuiState((state) => state.message);
  const { byRules = false, failed = false, author = null } = message.metadata.custom as { byRules?: boolean; failed?: boolean; author?: string | null };
  const running = message.status?.type === "running";
  const nothing = message.content.length === 0 || message.content.every((part) => part.type === "text" && part.text === "");
  return (
    <MessagePrimitive.Root className="said said-by-shop" aria-busy={running}>
      {author === null ? <span className="visually-hidden">{t.shop.shop}</span> : <span className="said-author">{author}</span>}
      <CitedMessage content={message.content}>
        <MessagePrimitive.Parts components={shopParts} />
      </CitedMessage>
      {running && <Working nothing={nothing} />}
      {!running && (byRules || failed || view.stopped.has(message.id)) && (
        <p className="said-marks">
          {view.stopped.has(message.id) ? <span>{t.shop.stopped}</span> : failed && <span>{t.problem.answer}</span>}
          {byRules && (
            <span className="by-rules" title={t.shop.byRulesHint}>
              {t.shop.byRules}
            </span>
          )}
        </p>
      )}
    </MessagePrimitive.Root>
  );
}

function Working({ nothing }: { nothing: boolean }) {
  const { t } = useSpeech();
  return (
    <p className="working">
      <i aria-hidden />
      <i aria-hidden />
      <i aria-hidden />
      <span className={nothing ? "" : "visually-hidden"}>{t.shop.thinking}</span>
    </p>
  );
}

const Words = memo(function Words({ text }: TextMessagePartProps) {
  return text === "" ? null : (
    <CitedWords>
      <Markdown text={text} />
    </CitedWords>
  );
});

const PlainWords = ({ text }: TextMessagePartProps) => (
  <p className="said-words" dir="auto">
    {text}
  </p>
);

function SentPicture({ image }: ImageMessagePartProps) {
  const { t } = useSpeech();
  if (!/^\/(?!\/)/.test(image)) return null;
  return (
    <a href={image} target="_blank" rel="noopener" className="said-picture">
      <img src={`${image}?w=640`} alt={t.shop.pictureOf} loading="lazy" />
    </a>
  );
}

function ToolLine({ toolName, args, result, isError, artifact }: ToolCallMessagePartProps) {
  const { t } = useSpeech();
  const { words } = useView();
  const [open, setOpen] = useState(false);
  const step = (artifact ?? { summary: null, failed: false }) as ToolStep;
  const done = result !== undefined;
  const asked = gist(args);
  const found = countOf(result);
  const name = words.tools[toolName] ?? toolName.replaceAll("_", " ");
  return (
    <details className="tool" data-state={isError ? "failed" : done ? "done" : "running"} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {isError ? <TriangleAlert aria-hidden /> : done ? <Check aria-hidden /> : <Search aria-hidden />}
        <span className="tool-line" dir="auto">
          {name}
          {step.summary !== null ? (
            <em> {step.summary}</em>
          ) : (
            <>
              {asked !== "" && <em> {asked}</em>}
              {!isError && found !== null && ` → ${found}`}
            </>
          )}
          {isError && ` · ${t.shop.toolFailed}`}
        </span>
        <ChevronRight aria-hidden className="turn" />
      </summary>
      {open && (
        <dl>
          <dt>{t.shop.arguments}</dt>
          <dd>
            <pre tabIndex={0} role="region" aria-label={t.shop.arguments}>{pretty(args)}</pre>
          </dd>
          <dt>{t.shop.result}</dt>
          <dd>
            <pre tabIndex={0} role="region" aria-label={t.shop.result}>{done ? pretty(result) : t.shop.noResult}</pre>
          </dd>
        </dl>
      )}
    </details>
  );
}

function pretty(value: unknown): string {
  const words = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return words.length > 6000 ? `${words.slice(0, 6000)}\n…` : words;
}

function Products({ data }: DataMessagePartProps) {
  const { lang } = useSpeech();
  const products = useMemo(() => readCards(data, lang), [data, lang]);
  return products.length === 0 ? null : <Cards cards={products} />;
}

function Fallback({ data }: DataMessagePartProps) {
  const { t } = useSpeech();
  const reason = readText(object(data).reason) ?? "";
  // a shop without a model has nothing to excuse: the mark "by rules" under the answer says it
  if (reason === "no_model") return null;
  return (
    <p className="fallback" title={reason}>
      {t.shop.fallbacks[reason] ?? t.shop.fallback}
    </p>
  );
}

/** Parts that only the service desk sends come with their own code, when the first of them comes. */
function later(load: () => Promise<{ default: ComponentType<DataMessagePartProps> }>) {
  const Part = lazy(load);
  return function Later(props: DataMessagePartProps) {
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    );
  };
}
const notice = (name: "Event" | "HandedOver" | "Waiting" | "Mailed" | "OtherRoom") => later(async () => ({ default: (await import("../rooms/service/Notices"))[name] as ComponentType<DataMessagePartProps> }));
const service = {
  interrupts: later(() => import("../rooms/service/Confirmation")),
  event: notice("Event"),
  handed_over: notice("HandedOver"),
  waiting: notice("Waiting"),
  mail: notice("Mailed"),
  hand_over: notice("OtherRoom"),
};

const Nothing = () => null;
const userParts = { Text: PlainWords, Image: SentPicture };
const shopParts = {
  Text: Words,
  Image: SentPicture,
  Reasoning: Nothing,
  tools: { Fallback: ToolLine },
  data: { by_name: { products: Products, fallback: Fallback, citations: Sources, ...service }, Fallback: Nothing },
};
