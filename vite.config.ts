import { fileURLToPath } from 'node:url';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin, type Rolldown } from 'vite';
import { contractAsData } from './contract-as-data.ts';
import { pageList } from './page-list.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const server = 'http://127.0.0.1:3000';

/** The widget's frame and script have their own builds, into the folder this one has emptied. */
const widget: Plugin = {
  name: 'widget',
  apply: 'build',
  async closeBundle() {
    for (const name of ['vite.embed.config.ts', 'vite.widget.config.ts'])
      await build({ configFile: here(name), logLevel: 'error' });
  },
};

/** Modules also used by most pages a chat can lead to. */
const common = new RegExp(
  [
    String.raw`src/web/(socket|format|download|chat/plain-text|session/per-person|hooks/use-settled|queries/query-props|routing/use-over)\.`,
    String.raw`src/web/ui/(error-state|time-ago|when-online|later)\.`,
    String.raw`@tanstack/.*/(queryObserver|useQuery|useBaseQuery|mutationObserver|useMutation|infiniteQueryObserver|infiniteQueryBehavior|useInfiniteQuery|useLocation)\.`,
    String.raw`/Icon(Menu2|Pencil|Trash)\.`,
  ].join('|'),
);

/**
 * Modules bundled into one file, each group with everything its modules need that no earlier group has; everything else
 * is chunked by its importers. Small files compress badly: a chat had 32 of them, and 7 KB more (docs/decisions/0063).
 */
const parts: Rolldown.CodeSplittingGroup[] = [
  // Includes what others use of it.
  { name: 'first', tags: ['$initial'], priority: 6 },
  { name: 'common', test: common, priority: 5 },
  // Those that only a few pages use go with these pages.
  { name: 'icons', test: /@tabler\/icons-react/, minShareCount: 5, priority: 4 },
  { name: 'conversation', test: /src\/web\/(chat\/conversation|transport\/agent-chat)\.tsx$/, priority: 3 },
  {
    name: 'chat',
    test: /src\/web\/(features\/chat\/(chat-screen|pane)\.tsx|routes\/chat\/.*component)/,
    priority: 2,
  },
  { name: 'opened', test: /src\/web\/features\/chat\/(new|open)-conversation\.tsx$/, priority: 1 },
];

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
  // The router brings a stand-in for a hook that React itself has.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  // The server replaces this placeholder with a fresh nonce for each page it sends; the policy allows nothing inline
  // without it.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: here('dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    // The policy allows fonts and images from files only, so nothing becomes a data URL.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The server lists a page's files in the page it sends (`page-list.ts`); and links are preloaded on hover. Lists of
    // each chunk's dependencies would make up a twentieth of every page.
    modulePreload: { resolveDependencies: (_file, parts, { hostType }) => (hostType === 'html' ? parts : []) },
    // Every page carries the list of all chunks: with words in their names, or longer hashes, it would be larger than
    // some chunks are.
    rolldownOptions: {
      output: {
        chunkFileNames: 'assets/[hash:7].js',
        assetFileNames: 'assets/[hash:7][extname]',
        codeSplitting: { groups: parts },
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
