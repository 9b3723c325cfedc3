import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// The page is built into the Python package and committed, so that nobody needs Node to play. Names carry a hash of the
// content and nothing depends on the folder or the time: the same sources give the same bytes.
export default defineConfig({
  base: "/",
  plugins: [svelte({ compilerOptions: { css: "external" } })],
  build: {
    outDir: "../src/kibitz/web/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // a data: URL would need more than 'self' in the Content-Security-Policy
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
  server: {
    proxy: {
      "/api": { target: "http://127.0.0.1:8000", ws: true },
    },
  },
  test: { include: ["test/**/*.test.ts"] },
});
