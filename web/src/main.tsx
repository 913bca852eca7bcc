import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { Speaking } from "./i18n";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/frame.css";

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
