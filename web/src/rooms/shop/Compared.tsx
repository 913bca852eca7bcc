import { X } from "lucide-react";
import { useSpeech } from "../../i18n";
import { useShop } from "./context";

/** The products put side by side so far, above the composer. */
export function Compared() {
  const { t } = useSpeech();
  const shop = useShop();
  if (shop.basket.length === 0) return null;
  return (
    <div className="compared">
      <ul aria-label={t.shop.comparing}>
        {shop.basket.map((card) => (
          <li key={card.id} className="chip">
            <span className="chip-name" dir="auto">
              {card.title}
            </span>
            <button type="button" aria-label={t.shop.removeFromCompare(card.title)} title={t.shop.removeFromCompare(card.title)} onClick={() => shop.toggle(card)}>
              <X aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="quiet-button" onClick={shop.clear}>
        {t.shop.compareClear}
      </button>
      <button type="button" className="button" disabled={shop.basket.length < 2} onClick={shop.compare}>
        {t.shop.compareOpen(shop.basket.length)}
      </button>
    </div>
  );
}
