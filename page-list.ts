import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** A page the server sends. */
export interface PageAddress {
  /** Regular expression for the paths it serves; the first match wins. */
  address: string;
  /** Scripts and styles, below the root, that it needs beyond those every page starts with. */
  parts: string[];
}

/** What a page's route fetches besides its component, where that depends on the address (`fetchAhead` in `routes/chat`). */
const ahead: Record<string, { address: string; module: string }[]> = {
  'chat/{-$id}.tsx': [
    { address: '^/chat/cnv_[^/]+/?$', module: 'features/chat/open-conversation.tsx' },
    { address: '^/chat/(?!shr_)[^/]+/?$', module: 'features/chat/new-conversation.tsx' },
  ],
};

/**
 * Writes `pages.json` beside the built application, which tells the server which pages exist and what each needs.
 * Routes follow TanStack Router's naming: a dot separates like a folder, `$id` is a parameter, `{-$id}` an optional
 * one, and a trailing `_` isn't part of the name.
 */
export function pageList(webFolder: string): Plugin {
  const routes = path.join(webFolder, 'routes');
  return {
    name: 'page-list',
    apply: 'build',
    // Vite reports which styles a chunk needs in its own plugins, which run earlier.
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
              // `realpathSync` throws for a module that has moved, which fails the build.
              parts: partsOf([...shown, realpathSync(path.join(webFolder, module))]),
            })),
            { address: addressOf(file), parts: partsOf(shown) },
          ];
        });
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(pages) });
    },
  };
}

/** The modules that show a page: its routes' components, and the layout named by the innermost of them. */
function shownAt(files: string[], webFolder: string): string[] {
  const routes = files.map((file) => path.join(webFolder, 'routes', file));
  const layouts = routes.map((file) => /\blayout: '([\w-]+)'/.exec(readFileSync(file, 'utf8'))?.[1]);
  const layout = layouts.findLast((name) => name !== undefined) ?? 'default';
  return [path.join(webFolder, `layouts/${layout}.tsx`), ...routes.map((file) => `${file}?tsr-split=component`)];
}

/** The files of the routes that wrap another: `a/route.tsx` wraps everything in `a`. */
function routesAround(file: string, routes: string): string[] {
  const folders = path.dirname(file).split('/');
  return folders
    .map((_, at) => path.join(...folders.slice(0, at + 1), 'route.tsx'))
    .filter((route) => existsSync(path.join(routes, route)));
}

/** The fewer parameters a route has, the more specifically it matches a path. */
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

/** The files that contain the given modules, with their dependencies, transitively; excludes what every page starts with. */
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
