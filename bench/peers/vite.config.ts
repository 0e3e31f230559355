import { defineConfig } from 'vite';

export default defineConfig({
  build: {
    target: 'es2023',
    reportCompressedSize: false,
    chunkSizeWarningLimit: 3000,
    modulePreload: { polyfill: false },
  },
});
