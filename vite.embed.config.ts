import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { contractAsData } from './contract-as-data.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The widget's frame, `/embed/<agent>`: the conversation on Preact, to stay light on other people's sites. */
export default defineConfig({
  root: here('src/web'),
  publicDir: false,
  plugins: [react(), contractAsData()],
  html: { cspNonce: '__CSP_NONCE__' },
  resolve: {
    alias: {
      react: 'preact/compat',
      'react-dom': 'preact/compat',
      'react-dom/client': 'preact/compat/client',
      'react/jsx-runtime': 'preact/jsx-runtime',
    },
  },
  build: {
    outDir: here('dist/web'),
    emptyOutDir: false,
    target: 'es2022',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { input: here('src/web/embed/index.html') },
  },
});
