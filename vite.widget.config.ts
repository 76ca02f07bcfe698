import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** `/widget.js`: one classic script, whole in itself, that leaves nothing of its own but `window.parley`. */
export default defineConfig({
  root: here('src/web'),
  publicDir: false,
  build: {
    outDir: here('dist/web'),
    emptyOutDir: false,
    target: 'es2022',
    // Browsers that know less than this know no constructed style sheets either, or nearly so.
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
