import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** `/widget.js`: a single self-contained classic script that leaves only `window.parley` behind. */
export default defineConfig({
  root: here('src/web'),
  publicDir: false,
  build: {
    outDir: here('dist/web'),
    emptyOutDir: false,
    target: 'es2022',
    // Browsers that support less than this support no constructed style sheets either, or barely.
    cssTarget: 'chrome123',
    reportCompressedSize: false,
    lib: {
      entry: here('src/web/widget/main.ts'),
      formats: ['iife'],
      name: 'parleyWidget',
      fileName: () => 'widget.js',
    },
  },
});
