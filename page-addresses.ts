import { readdirSync } from 'node:fs';
import type { Plugin } from 'vite';

/**
 * What the server is told of the files in `src/web/routes`, named as TanStack Router has it (a dot separates like a folder, `$id` is
 * a parameter, `{-$id}` one that may be absent, `_` at the end is no part of it): regular expressions, one a page.
 */
export function pageAddresses(routesFolder: string): string[] {
  const files = readdirSync(routesFolder, { recursive: true, encoding: 'utf8' });
  const pages = files.filter((file) => file.endsWith('.tsx') && !/(^|\/)__root\.tsx$/.test(file));
  return [...new Set(pages.map(addressOf))].sort();
}

function addressOf(file: string): string {
  const parts = file
    .replace(/\.tsx$/, '')
    .split(/[/.]/)
    .filter((part, at, all) => !(at === all.length - 1 && /^(index|route)$/.test(part)));
  return `^${parts.map(partOf).join('')}/?$`;
}

function partOf(part: string): string {
  if (part.startsWith('{-$')) return '(/[^/]+)?';
  return part.startsWith('$') ? '/[^/]+' : `/${part.replace(/_$/, '')}`;
}

/** Writes them beside the built application, as `pages.json`. */
export function pageList(routesFolder: string): Plugin {
  return {
    name: 'page-list',
    apply: 'build',
    generateBundle() {
      this.emitFile({
        type: 'asset',
        fileName: 'pages.json',
        source: JSON.stringify(pageAddresses(routesFolder)),
      });
    },
  };
}
