import { defineConfig } from "@playwright/test";
import base from "./playwright.config";

/** `npm run screens`: a picture of each room into docs/screens, zh and en, light and dark, wide and phone. */
export default defineConfig({ ...base, testDir: "tests/screens", projects: [{ name: "screens" }], timeout: 120_000 });
