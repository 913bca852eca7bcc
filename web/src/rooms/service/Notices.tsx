import type { DataMessagePartProps } from "@assistant-ui/react";
import { ArrowRight } from "lucide-react";
import { object, text } from "../../api/read";
import { Link } from "../../ui/Link";
import { useServiceWords } from "./useWords";

/** Small lines in the conversation that are nobody's words: a person came, left, a mail was written. */
export function Event({ data }: DataMessagePartProps) {
  const w = useServiceWords();
  const raw = object(data);
  const by = text(raw.by) ?? text(raw.author) ?? "";
  const words =
    raw.kind === "handed_over" ? w.handedOver : raw.kind === "taken" ? w.taken(by) : raw.kind === "given_back" ? w.givenBack : raw.kind === "verified" ? w.nowVerified : raw.kind === "mail" ? w.mailPut(text(raw.subject) ?? "") : text(raw.text);
  return words ? <p className="notice">{words}</p> : null;
}

export function HandedOver() {
  const w = useServiceWords();
  return <p className="notice">{w.handedOver}</p>;
}

export function Waiting({ data }: DataMessagePartProps) {
  const w = useServiceWords();
  return <p className="notice">{w.waiting(text(object(data).by))}</p>;
}

export function Mailed({ data }: DataMessagePartProps) {
  const w = useServiceWords();
  const subject = text(object(data).subject);
  return subject === null ? null : <p className="notice">{w.mailPut(subject)}</p>;
}

/** The concierge handed the conversation to another agent: the way there. */
export function OtherRoom({ data }: DataMessagePartProps) {
  const w = useServiceWords();
  const id = text(object(data).thread_id);
  if (id === null) return null;
  return (
    <Link to={`/service/${encodeURIComponent(id)}`} className="button notice-link">
      {w.showCase}
      <ArrowRight aria-hidden />
    </Link>
  );
}
