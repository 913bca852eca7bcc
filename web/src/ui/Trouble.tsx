import { RotateCw } from "lucide-react";
import { useSpeech } from "../i18n";
import { explain } from "./problem";

/** What went wrong and the one thing to do about it. */
export function Trouble({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useSpeech();
  return (
    <div className="trouble" role="alert">
      <p>{explain(error, t.problem)}</p>
      {onRetry && (
        <button type="button" className="button" onClick={onRetry}>
          <RotateCw aria-hidden />
          {t.app.retry}
        </button>
      )}
    </div>
  );
}
