import { defineConfig } from "@playwright/test";

/** Against the stand-in by default; against a real server with MERCER_URL (say http://127.0.0.1:8787). */
const real = process.env.MERCER_URL;
const port = Number(process.env.FAKE_PORT ?? 8791);

export const launchOptions = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
};

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  timeout: 45_000,
  expect: { timeout: 12_000 },
  workers: 1,
  reporter: [["list"]],
  // An import puts another catalogue on the shelves: it comes last, and at a real server only when that is meant.
  projects: [
    { name: "rooms", testIgnore: "import.spec.ts", ...(real ? { grepInvert: /@stand-in/ } : {}) },
    ...(real && !process.env.MERCER_IMPORT ? [] : [{ name: "import", testMatch: "import.spec.ts", dependencies: ["rooms"] }]),
  ],
  use: { baseURL: real ?? `http://127.0.0.1:${port}`, viewport: { width: 1360, height: 860 }, locale: "en-GB", launchOptions, trace: "off" },
  ...(real ? {} : { webServer: { command: "node tests/fake-server/server.mjs", env: { PORT: String(port) }, url: `http://127.0.0.1:${port}/api/v1/status`, reuseExistingServer: false } }),
});
