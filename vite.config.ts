import { fileURLToPath } from 'node:url';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin } from 'vite';
import { contractAsData } from './contract-as-data.ts';
import { pageList } from './page-list.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const server = 'http://127.0.0.1:3000';

/** The widget's frame and its script have builds of their own, into the folder that this one has emptied. */
const widget: Plugin = {
  name: 'widget',
  apply: 'build',
  async closeBundle() {
    for (const name of ['vite.embed.config.ts', 'vite.widget.config.ts'])
      await build({ configFile: here(name), logLevel: 'error' });
  },
};

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
    contractAsData(),
    pageList(here('src/web')),
    widget,
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
    // What a page needs, the server names in the page it sends (`page-list.ts`); and a link that is pointed at is fetched ahead. Lists of what
    // each part needs would be a twentieth of every page.
    modulePreload: { resolveDependencies: (_file, parts, { hostType }) => (hostType === 'html' ? parts : []) },
    // Every page carries the list of all parts: with words in their names, or longer hashes, it would weigh more than some parts do.
    rolldownOptions: {
      output: {
        chunkFileNames: 'assets/[hash:7].js',
        assetFileNames: 'assets/[hash:7][extname]',
        // What every page begins with comes as one part, also what others use of it; and so do the icons of several, of which each would be a part by itself.
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 1 },
            { name: 'icons', test: /@tabler\/icons-react/, minShareCount: 3 },
          ],
        },
      },
    },
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
