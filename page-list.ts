import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** A page that the server sends. */
export interface PageAddress {
  /** Regular expression of the paths at which it stands; of several the first one is meant. */
  address: string;
  /** Scripts and styles, below the root, that it needs beside what every page begins with. */
  parts: string[];
}

/** What a page's route fetches beside its component, where that depends on the address (`fetchAhead` in `routes/chat`). */
const ahead: Record<string, { address: string; module: string }[]> = {
  'chat/{-$id}.tsx': [
    { address: '^/chat/cnv_[^/]+/?$', module: 'features/chat/open-conversation.tsx' },
    { address: '^/chat/(?!shr_)[^/]+/?$', module: 'features/chat/new-conversation.tsx' },
  ],
};

/**
 * Writes `pages.json` beside the built application, by which the server knows which pages there are and what each needs. Routes are named
 * as TanStack Router has it: a dot separates like a folder, `$id` is a parameter, `{-$id}` one that may be absent, `_` at the
 * end is no part of it.
 */
export function pageList(webFolder: string): Plugin {
  const routes = path.join(webFolder, 'routes');
  return {
    name: 'page-list',
    apply: 'build',
    // Vite says which styles a part needs in its own plugins, which come before.
    enforce: 'post',
    generateBundle(_options, bundle) {
      const partsOf = needsIn(bundle);
      const pages = readdirSync(routes, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.tsx') && !/(^|\/)(__root|route)\.tsx$/.test(file))
        .toSorted((a, b) => parametersIn(a) - parametersIn(b) || (a < b ? -1 : 1))
        .flatMap((file): PageAddress[] => {
          const shown = shownAt([...routesAround(file, routes), file], webFolder);
          return [
            ...(ahead[file] ?? []).map(({ address, module }) => ({
              address,
              // Of a module that has been moved there is no real path, and the build ends.
              parts: partsOf([...shown, realpathSync(path.join(webFolder, module))]),
            })),
            { address: addressOf(file), parts: partsOf(shown) },
          ];
        });
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(pages) });
    },
  };
}

/** The modules that show a page: the components of its routes, and the layout that the innermost of them names. */
function shownAt(files: string[], webFolder: string): string[] {
  const routes = files.map((file) => path.join(webFolder, 'routes', file));
  const layouts = routes.map((file) => /\blayout: '([\w-]+)'/.exec(readFileSync(file, 'utf8'))?.[1]);
  const layout = layouts.findLast((name) => name !== undefined) ?? 'default';
  return [path.join(webFolder, `layouts/${layout}.tsx`), ...routes.map((file) => `${file}?tsr-split=component`)];
}

/** The files of the routes that stand around another: `a/route.tsx` around all in `a`. */
function routesAround(file: string, routes: string): string[] {
  const folders = path.dirname(file).split('/');
  return folders
    .map((_, at) => path.join(...folders.slice(0, at + 1), 'route.tsx'))
    .filter((route) => existsSync(path.join(routes, route)));
}

/** The fewer a route has, the more exactly it fits a path. */
function parametersIn(file: string): number {
  return file.split('$').length;
}

function addressOf(file: string): string {
  const parts = file
    .replace(/\.tsx$/, '')
    .split(/[/.]/)
    .filter((part, at, all) => !(at === all.length - 1 && part === 'index'));
  return `^${parts.map(segmentOf).join('')}/?$`;
}

function segmentOf(part: string): string {
  if (part.startsWith('{-$')) return '(/[^/]+)?';
  return part.startsWith('$') ? '/[^/]+' : `/${part.replace(/_$/, '')}`;
}

/** The files that modules come in, with what these need in turn; without what every page begins with. */
function needsIn(bundle: Rolldown.OutputBundle): (modules: string[]) => string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const byModule = new Map(chunks.flatMap((chunk) => chunk.moduleIds.map((id) => [id, chunk.fileName] as const)));
  const first = withImports(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
  return (modules) => {
    const files = withImports(modules.flatMap((id) => byModule.get(id) ?? [])).difference(first);
    const styles = [...files].flatMap((file) => [...(byFile.get(file)?.viteMetadata?.importedCss ?? [])]);
    return [...files, ...new Set(styles)];
  };

  function withImports(files: string[], found = new Set<string>()): Set<string> {
    for (const file of files) {
      if (found.has(file)) continue;
      found.add(file);
      withImports(byFile.get(file)?.imports ?? [], found);
    }
    return found;
  }
}
