import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { Speaking } from "./i18n";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/frame.css";

// The AI SDK's validator asks whether it may compile code, which the page's policy forbids: told beforehand, it does not ask.
(globalThis as { __zod_globalConfig?: { jitless: boolean } }).__zod_globalConfig = { jitless: true };

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <Speaking>
        <App />
      </Speaking>
    </StrictMode>,
  );
}
