import { fileURLToPath } from 'node:url';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const server = 'http://127.0.0.1:3000';

export default defineConfig({
  root: here('src/web'),
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: here('src/web/routes'),
      generatedRouteTree: here('src/web/route-tree.gen.ts'),
      tmpDir: here('node_modules/.cache/tanstack-router'),
      addExtensions: true,
      semicolons: true,
      disableLogging: true,
      routeTreeFileHeader: ['/* Generated from the files in routes/; do not edit. */'],
      routeFileIgnorePattern: '\\.test\\.',
    }),
    react(),
  ],
  // The server puts a fresh nonce in this placeholder for each page it sends; the policy allows nothing inline without it.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: here('dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    // The policy allows fonts and images from files only, so nothing becomes a data address.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: {
    proxy: {
      '/v1': server,
      '/files': server,
      '/images': server,
      '/socket.io': { target: server, ws: true },
    },
  },
});
