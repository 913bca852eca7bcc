import { X } from "lucide-react";
import * as api from "../../api/client";
import type { Product } from "../../api/types";
import { go, withQuery } from "../../app/router";
import { useSpeech } from "../../i18n";
import { Link } from "../../ui/Link";
import { useLoad } from "../../ui/load";
import { Panel } from "../../ui/Panel";
import { Trouble } from "../../ui/Trouble";
import { ProductPicture, Stock } from "./product";
import { say, sayAll } from "./say";
import "./panels.css";

/** Two to four products side by side; the rows in which they differ stand out. */
export default function ComparePanel({ ids, onClose }: { ids: string[]; onClose: () => void }) {
  const { t, lang } = useSpeech();
  const { value, error, slow, reload } = useLoad(`${ids.join()} ${lang}`, (signal) => Promise.all(ids.slice(0, 4).map((id) => api.product(id, lang, signal))));
  return (
    <Panel title={t.shop.compareTitle} wide onClose={onClose}>
      {error != null && <Trouble error={error} onRetry={reload} />}
      {value === null && error == null && slow && <div className="skeleton-lines" aria-hidden />}
      {value !== null && <Table products={value} ids={ids} />}
    </Panel>
  );
}

function Table({ products, ids }: { products: Product[]; ids: string[] }) {
  const { t } = useSpeech();
  const rows: { name: string; cells: string[] }[] = [];
  const add = (name: string, of: (product: Product) => string | null | undefined) => {
    const cells = products.map((p) => of(p) ?? "");
    // a shop's option "Color" says again what its colours say
    if (cells.some((cell) => cell !== "") && !rows.some((row) => row.name === name)) rows.push({ name, cells });
  };
  add(t.shop.brand, (p) => p.brand);
  for (const key of ["colour", "material", "gender", "age", "season", "usage"] as const) add(t.shop.facts[key], (p) => sayAll(p.facts.find((f) => f.key === key)?.values ?? [], t, " · "));
  for (const name of [...new Set(products.flatMap((p) => p.variants.flatMap((v) => Object.keys(v.options))))]) {
    add(say(name, t), (p) => sayAll(p.variants.map((v) => v.options[name]).filter((v): v is string => v !== undefined), t, " · "));
  }
  for (const name of [...new Set(products.flatMap((p) => p.attributes.map((a) => a.name)))].slice(0, 16)) add(say(name, t), (p) => {
    const value = p.attributes.find((a) => a.name === name)?.value;
    return value === undefined ? null : say(value, t);
  });
  add(t.shop.ratingName, (p) => (p.rating === null ? null : t.shop.rating(p.rating)));
  const without = (id: string) => {
    const rest = ids.filter((other) => other !== id);
    go(withQuery({ compare: rest.length < 2 ? null : rest.join(",") }));
  };
  return (
    <div className="table-box" tabIndex={0}>
      <table className="compare">
        <thead>
          <tr>
            <th>
              <span className="visually-hidden">{t.shop.product}</span>
            </th>
            {products.map((p) => (
              <th key={p.id} scope="col">
                <ProductPicture src={p.images[0] ?? null} width={320} />
                <Link to={withQuery({ product: p.id, compare: null })} dir="auto">
                  {p.title}
                </Link>
                <button type="button" className="icon-button" aria-label={t.shop.removeFromCompare(p.title)} title={t.shop.removeFromCompare(p.title)} onClick={() => without(p.id)}>
                  <X aria-hidden />
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{t.shop.price}</th>
            {products.map((p) => (
              <td key={p.id} className="compare-price">
                <strong>{p.priceText ?? t.shop.priceUnknown}</strong>
              </td>
            ))}
          </tr>
          <tr>
            <th scope="row">{t.shop.stock}</th>
            {products.map((p) => (
              <td key={p.id}>
                <Stock state={p.availability} />
              </td>
            ))}
          </tr>
          {rows.map((row) => (
            <tr key={row.name} data-differs={new Set(row.cells).size > 1}>
              <th scope="row" dir="auto">
                {row.name}
              </th>
              {row.cells.map((cell, n) => (
                <td key={n} dir="auto">
                  {cell === "" ? t.app.none : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
