import { Columns2, CircleHelp, Images } from "lucide-react";
import { memo, useId, useState } from "react";
import type { Card } from "../../api/types";
import { withQuery } from "../../app/router";
import { useSpeech } from "../../i18n";
import { Link } from "../../ui/Link";
import { useShop } from "./context";
import { ProductPicture, Stock } from "./product";
import { sayAll } from "./say";

const FIRST = 8;

/** Results: a grid where there is room, a row to push along on a phone. The numbers are what "compare 1 and 3" refers to. */
export const Cards = memo(function Cards({ cards }: { cards: Card[] }) {
  const { t } = useSpeech();
  const [all, setAll] = useState(false);
  const shown = all ? cards : cards.slice(0, FIRST);
  return (
    <div className="cards-box">
      <ul className="cards" aria-label={t.shop.results(cards.length)} tabIndex={-1}>
        {shown.map((card, n) => (
          <ProductCard key={card.id} card={card} place={cards.length > 1 ? n + 1 : null} />
        ))}
      </ul>
      {cards.length > FIRST && !all && (
        <button type="button" className="quiet-button" onClick={() => setAll(true)}>
          {t.shop.showAll(cards.length)}
        </button>
      )}
    </div>
  );
});

function ProductCard({ card, place }: { card: Card; place: number | null }) {
  const { t, lang } = useSpeech();
  const shop = useShop();
  const [why, setWhy] = useState(false);
  const id = useId();
  const chosen = shop.basket.some((c) => c.id === card.id);
  const reasons = card.why.length > 0 ? card.why : card.matched;
  return (
    <li className="card" data-chosen={chosen} data-gone={card.availability === "out_of_stock"}>
      <div className="card-top">
        <ProductPicture src={card.image} width={320} />
        {place !== null && (
          <span className="card-place" aria-hidden>
            {place}
          </span>
        )}
        <div className="card-over">
        {card.options.length > 0 && (
          <p className="card-options">
            {card.options.slice(0, 2).map((group) => (
              <span key={group.name}>{sayAll(group.values.slice(0, 6), t, lang === "zh" ? "、" : ", ")}</span>
            ))}
          </p>
        )}
        <div className="card-actions">
          <button type="button" onClick={() => shop.open(card.id, true)} title={t.shop.similar} aria-label={`${t.shop.similar}: ${card.title}`}>
            <Images aria-hidden />
            <span>{t.shop.similar}</span>
          </button>
          <button type="button" aria-pressed={chosen} disabled={!chosen && shop.full} onClick={() => shop.toggle(card)} title={!chosen && shop.full ? t.shop.compareFull : t.shop.compare} aria-label={`${t.shop.compare}: ${card.title}`}>
            <Columns2 aria-hidden />
            <span>{t.shop.compare}</span>
          </button>
          {reasons.length > 0 && (
            <button type="button" aria-expanded={why} aria-controls={`${id}-why`} onClick={() => setWhy(!why)} title={t.shop.why} aria-label={`${t.shop.why}: ${card.title}`}>
              <CircleHelp aria-hidden />
              <span>{t.shop.why}</span>
            </button>
          )}
        </div>
        </div>
      </div>
      <div className="card-words">
        <h3 dir="auto">
          <Link to={withQuery({ product: card.id, compare: null, view: null })}>{card.title}</Link>
        </h3>
        <p className="card-price">
          {card.priceText === null ? (
            <span className="price-unknown">{t.shop.priceUnknown}</span>
          ) : (
            <>
              <strong>{card.priceText}</strong>
              {card.listPriceText !== null && card.listPriceText !== card.priceText && (
                <s>
                  <span className="visually-hidden">{t.shop.was} </span>
                  {card.listPriceText}
                </s>
              )}
            </>
          )}
        </p>
        {card.matched.length > 0 && (
          <p className="card-matched" title={card.matched.join(" · ")}>
            {card.matched.join(" · ")}
          </p>
        )}
        <Stock state={card.availability} />
        {why && (
          <div id={`${id}-why`} className="card-why">
            <h4>{t.shop.whyTitle}</h4>
            <ul>
              {reasons.map((reason) => (
                <li key={reason} dir="auto">
                  {reason}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </li>
  );
}
