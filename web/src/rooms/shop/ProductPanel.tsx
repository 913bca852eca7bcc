import { ExternalLink } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import * as api from "../../api/client";
import type { Product } from "../../api/types";
import { useSpeech } from "../../i18n";
import { Link } from "../../ui/Link";
import { useLoad } from "../../ui/load";
import { Panel } from "../../ui/Panel";
import { safe } from "../../ui/prose";
import { Trouble } from "../../ui/Trouble";
import { withQuery } from "../../app/router";
import { useShop } from "./context";
import { ProductPicture, Stock } from "./product";
import { say, sayAll } from "./say";
import "./panels.css";

export default function ProductPanel({ id, alike, onClose }: { id: string; alike: boolean; onClose: () => void }) {
  const { t, lang } = useSpeech();
  const { value, error, slow, reload } = useLoad(`${id} ${lang}`, (signal) => api.product(id, lang, signal));
  return (
    <Panel title={t.shop.product} onClose={onClose}>
      {error != null && <Trouble error={error} onRetry={reload} />}
      {value === null && error == null && slow && <div className="skeleton-picture" aria-hidden />}
      {value !== null && <Details product={value} alike={alike} />}
    </Panel>
  );
}

function Details({ product, alike }: { product: Product; alike: boolean }) {
  const { t, lang } = useSpeech();
  const comma = lang === "zh" ? "、" : ", ";
  const shop = useShop();
  const [shown, setShown] = useState(0);
  const chosen = shop.basket.some((c) => c.id === product.id);
  const page = product.url === null ? null : safe(product.url);
  const optionNames = [...new Set(product.variants.flatMap((v) => Object.keys(v.options)))];
  return (
    <article className="product">
      <ProductPicture src={product.images[shown] ?? null} width={640} alt={product.title} />
      {product.images.length > 1 && (
        <ul className="product-thumbs">
          {product.images.slice(0, 8).map((src, n) => (
            <li key={src}>
              <button type="button" aria-pressed={n === shown} aria-label={`${n + 1}`} onClick={() => setShown(n)}>
                <ProductPicture src={src} width={160} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <h3 dir="auto">{product.title}</h3>
      {product.brand !== null && <p className="product-brand">{product.brand}</p>}
      <p className="product-price">
        <strong>{product.priceText ?? t.shop.priceUnknown}</strong>
        {product.listPriceText !== null && product.listPriceText !== product.priceText && (
          <s>
            <span className="visually-hidden">{t.shop.was} </span>
            {product.listPriceText}
          </s>
        )}
      </p>
      <Stock state={product.availability} />
      <div className="product-buttons">
        <button type="button" className="button" onClick={() => shop.ask(t.shop.askAboutText(product.title))}>
          {t.shop.askAbout}
        </button>
        <button type="button" className="button" aria-pressed={chosen} disabled={!chosen && shop.full} onClick={() => shop.toggle(product)}>
          {t.shop.compare}
        </button>
        {page !== null && (
          <a className="button" href={page} target="_blank" rel="noopener noreferrer">
            {t.shop.toShopPage}
            <ExternalLink aria-hidden />
          </a>
        )}
      </div>
      {alike && <Alike id={product.id} first />}
      {(product.variants.length > 1 || optionNames.length > 0) && (
        <section>
          <h4>{t.shop.variants}</h4>
          <div className="table-box" tabIndex={0}>
            <table>
              <thead>
                <tr>
                  {optionNames.map((name) => (
                    <th key={name}>{say(name, t)}</th>
                  ))}
                  <th className="num">{t.shop.price}</th>
                  <th>{t.shop.stock}</th>
                </tr>
              </thead>
              <tbody>
                {product.variants.map((variant) => (
                  <tr key={variant.sku} title={`${t.shop.sku} ${variant.sku}`}>
                    {optionNames.map((name, n) => {
                      const words = variant.options[name] === undefined ? t.app.none : say(variant.options[name], t);
                      const picture = variant.picture;
                      return (
                        <td key={name}>
                          {n === 0 && picture !== null && product.images.length > 1 ? (
                            <button type="button" className="variant-picture" aria-pressed={picture === shown} onClick={() => setShown(picture)}>
                              {words}
                            </button>
                          ) : (
                            words
                          )}
                        </td>
                      );
                    })}
                    <td className="num">{variant.priceText ?? t.app.none}</td>
                    <td>
                      <Stock state={variant.availability} pieces={variant.stock} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
      {product.description !== "" && (
        <section>
          <h4>{t.shop.description}</h4>
          <p className="product-description" dir="auto">
            {product.description}
          </p>
        </section>
      )}
      <dl className="product-facts">
        {product.category.length > 0 && (
          <div>
            <dt>{t.shop.category}</dt>
            <dd>{product.category.join(" › ")}</dd>
          </div>
        )}
        {product.facts.map((fact) => (
          <div key={fact.key}>
            <dt>{t.shop.facts[fact.key]}</dt>
            <dd dir="auto">{sayAll(fact.values, t, comma)}</dd>
          </div>
        ))}
        {product.attributes.slice(0, 24).map((attribute) => (
          <div key={attribute.name}>
            <dt dir="auto">{say(attribute.name, t)}</dt>
            <dd dir="auto">{say(attribute.value, t)}</dd>
          </div>
        ))}
        {product.rating !== null && (
          <div>
            <dt>{t.shop.ratingName}</dt>
            <dd>{t.shop.rating(product.rating)}</dd>
          </div>
        )}
        {product.variants.length === 1 && product.variants[0] && (
          <div>
            <dt>{t.shop.sku}</dt>
            <dd>{product.variants[0].sku}</dd>
          </div>
        )}
      </dl>
      {!alike && <Alike key={lang} id={product.id} />}
    </article>
  );
}

function Alike({ id, first }: { id: string; first?: boolean }) {
  const { t, lang } = useSpeech();
  const self = useRef<HTMLElement>(null);
  const { value } = useLoad(`${id} ${lang}`, (signal) => api.similar(id, lang, signal));
  const any = value !== null && value.length > 0;
  useEffect(() => {
    if (first && any) self.current?.scrollIntoView({ block: "nearest" });
  }, [first, any]);
  if (!any) return null;
  return (
    <section ref={self} className="alike">
      <h4>{t.shop.alike}</h4>
      <ul>
        {value.slice(0, 6).map((card) => (
          <li key={card.id}>
            <Link to={withQuery({ product: card.id, compare: null })} title={card.title}>
              <ProductPicture src={card.image} width={320} />
              <span dir="auto">{card.title}</span>
              <strong>{card.priceText ?? t.shop.priceUnknown}</strong>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
