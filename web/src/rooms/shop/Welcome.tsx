import { MessagesSquare } from "lucide-react";
import { useStatus } from "../../app/status";
import { useSpeech } from "../../i18n";

/** The empty shop: whose it is, how to ask, three real wishes from this catalogue. */
export function Welcome({ onWish }: { onWish: (wish: string) => void }) {
  const { t, lang } = useSpeech();
  const status = useStatus();
  if (status === null) return null;
  return (
    <div className="welcome-place">
      <div className="welcome">
      <h1>{t.shop.hello((lang === "zh" ? status.shop.nameZh : null) ?? status.shop.name)}</h1>
      <p>
        {t.shop.helloHint}
        <br />
        {status.shop.products > 0 && <span className="welcome-count">{t.shop.count(status.shop.products)}</span>}
      </p>
      {status.examples[lang].length > 0 && (
        <>
          <h2 className="visually-hidden">{t.shop.wishes}</h2>
          <ul className="wishes">
            {status.examples[lang].slice(0, 3).map((wish) => (
              <li key={wish}>
                <button type="button" onClick={() => onWish(wish)}>
                  <MessagesSquare aria-hidden />
                  <span>{wish}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      </div>
    </div>
  );
}
