/**
 * The little Markdown that an answer may use: paragraphs, lists, bold, italics, code, links, quotes, headings, tables.
 * What a model writes is text and stays text: no HTML is ever made from it, pictures are named and not fetched, and a link goes
 * to http(s) or to our own pages or nowhere. Each block takes its own writing direction.
 */
import { createContext, Fragment, use, type ReactNode } from "react";
import { useSpeech } from "../i18n";
import { inlines, parse, type Block, type Inline } from "./prose";

/** Puts marks into running words: footnotes at what they prove. Without one the words stand as they are. */
export const MarkContext = createContext<((text: string) => ReactNode) | null>(null);

function Plain({ text }: { text: string }) {
  const mark = use(MarkContext);
  return mark === null ? text : mark(text);
}

export function Markdown({ text }: { text: string }) {
  return <div className="prose">{parse(text).map(block)}</div>;
}

function block(b: Block, key: number): ReactNode {
  switch (b.type) {
    case "paragraph":
      return (
        <p key={key} dir="auto">
          {lines(b.text)}
        </p>
      );
    case "heading":
      return (
        <p key={key} dir="auto" className="prose-heading">
          {inline(b.text)}
        </p>
      );
    case "quote":
      return (
        <blockquote key={key} dir="auto">
          {lines(b.text)}
        </blockquote>
      );
    case "list": {
      const items = b.items.map((item, n) => (
        <li key={n} dir="auto">
          {lines(item)}
        </li>
      ));
      return b.ordered ? (
        <ol key={key} start={b.start}>
          {items}
        </ol>
      ) : (
        <ul key={key}>{items}</ul>
      );
    }
    case "code":
      return b.data ? <Data key={key} text={b.text} /> : <pre key={key} dir="ltr" tabIndex={0}><code>{b.text}</code></pre>;
    case "table":
      return (
        <div key={key} className="prose-table" tabIndex={0}>
          <table>
            <thead>
              <tr>{b.head.map((cell, n) => <th key={n} dir="auto">{inline(cell)}</th>)}</tr>
            </thead>
            <tbody>
              {b.rows.map((row, n) => (
                <tr key={n}>{row.map((cell, m) => <td key={m} dir="auto">{inline(cell)}</td>)}</tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case "rule":
      return <hr key={key} />;
  }
}

/** JSON in an answer is for machines: it folds away, but nothing is hidden for good. */
function Data({ text }: { text: string }) {
  const { t } = useSpeech();
  return (
    <details className="prose-data">
      <summary>{t.shop.data}</summary>
      <pre dir="ltr" tabIndex={0}>
        <code>{text}</code>
      </pre>
    </details>
  );
}

const lines = (text: string): ReactNode =>
  text.split("\n").map((line, n) => (
    <Fragment key={n}>
      {n > 0 && <br />}
      {inline(line)}
    </Fragment>
  ));

const inline = (text: string): ReactNode => inlines(text).map(piece);

function piece(p: Inline, key: number): ReactNode {
  switch (p.type) {
    case "text":
      return <Plain key={key} text={p.text} />;
    case "strong":
      return <strong key={key}>{inline(p.text)}</strong>;
    case "em":
      return <em key={key}>{inline(p.text)}</em>;
    case "struck":
      return <s key={key}>{inline(p.text)}</s>;
    case "code":
      return <code key={key}>{p.text}</code>;
    case "link":
      return (
        <a key={key} href={p.href} {...(p.href.startsWith("/") ? {} : { target: "_blank", rel: "noopener noreferrer nofollow" })}>
          {p.text}
        </a>
      );
  }
}
