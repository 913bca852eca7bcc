import { ImageOff } from "lucide-react";
import { useState } from "react";
import type { Availability } from "../../api/types";
import { useSpeech } from "../../i18n";

/** A product's picture in 4:5; a missing or broken one is said, not shown as a torn icon. The title beside it names it already. */
export function ProductPicture({ src, width, alt }: { src: string | null; width: number; alt?: string }) {
  const { t } = useSpeech();
  const [broken, setBroken] = useState<string | null>(null);
  if (src === null || broken === src) {
    return (
      <div className="picture picture-none">
        <ImageOff aria-hidden />
        <span>{t.shop.noPicture}</span>
      </div>
    );
  }
  return (
    <div className="picture">
      <img src={sized(src, width)} alt={alt ?? ""} loading="lazy" decoding="async" onError={() => setBroken(src)} />
    </div>
  );
}

const sized = (src: string, width: number): string => (/[?&]w=/.test(src) ? src : `${src}${src.includes("?") ? "&" : "?"}w=${width}`);

export function Stock({ state, pieces }: { state: Availability; pieces?: number | null }) {
  const { t } = useSpeech();
  return (
    <p className="stock" data-state={state}>
      <i aria-hidden />
      {t.shop.availability[state]}
      {pieces != null && pieces > 0 && pieces <= 20 && <span> · {t.shop.pieces(pieces)}</span>}
    </p>
  );
}
