import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/**
 * `ai` reaches for every language of zod and for the whole of zod 3. We use neither:
 * leaving them out saves about 13 KB of compressed script and changes no behaviour.
 */
function leaveOutUnusedZod(): Plugin {
  const locales = "\0zod-locales";
  const three = "\0zod-three";
  return {
    name: "leave-out-unused-zod",
    enforce: "pre",
    resolveId(source, importer) {
      if (source === "zod/v3" && importer?.includes("@ai-sdk")) return three;
      if (importer?.includes("/zod/") && source.endsWith("/locales/index.js")) return locales;
      return null;
    },
    load(id) {
      if (id === locales) return "export {};";
      if (id === three) return "export const ZodFirstPartyTypeKind = {};";
      return null;
    },
  };
}

const server = process.env.MERCER_URL ?? "http://127.0.0.1:8787";

export default defineConfig({
  plugins: [leaveOutUnusedZod(), react()],
  server: { proxy: Object.fromEntries(["/api", "/search"].map((path) => [path, { target: server, changeOrigin: true }])) },
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    // `img-src 'self'` and no data: addresses from our own build
    assetsInlineLimit: 0,
    rollupOptions: {
      onwarn(warning, warn) {
        if (warning.code === "MODULE_LEVEL_DIRECTIVE") return;
        warn(warning);
      },
    },
  },
});
