import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';

/** Files worth compressing once, at build. The HTML is not among them: the server writes a nonce into each answer. */
const compressible = /\.(?:js|css|svg|json)$/;
const smallest = 1024;

/** `x.js.gz` and `x.js.br` beside `x.js`, for the server to send as they are. */
const compressed = (): Plugin => ({
  name: 'compressed-assets',
  apply: 'build',
  writeBundle: {
    sequential: true,
    handler(options, bundle) {
      for (const name of Object.keys(bundle)) {
        if (!compressible.test(name)) continue;
        const path = join(options.dir!, name);
        const bytes = readFileSync(path);
        if (bytes.length < smallest) continue;
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
        writeFileSync(
          `${path}.br`,
          brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
        );
      }
    },
  },
});

/** `build.json` names the entry's hashed file: a window that runs another one knows that a newer build waits (src/app/new-version.ts). */
const buildName = (): Plugin => ({
  name: 'build-name',
  apply: 'build',
  generateBundle(_options, bundle) {
    const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry);
    if (entry) this.emitFile({ type: 'asset', fileName: 'build.json', source: JSON.stringify({ build: entry.fileName }) });
  },
});

const server = 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react({ compiler: true }), compressed(), buildName()],
  // The server writes each response's own nonce in its place.
  html: { cspNonce: '__CSP_NONCE__' },
  build: { target: 'es2023', manifest: true, chunkSizeWarningLimit: 1200, reportCompressedSize: false, modulePreload: { polyfill: false } },
  server: {
    port: 5173,
    proxy: Object.fromEntries(['/api', '/openapi.json', '/docs', '/healthz', '/readyz'].map((path) => [path, { target: server, changeOrigin: false }])),
  },
});
