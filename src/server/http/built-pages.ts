import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** A page of the application, as the build lists it in `pages.json`. */
interface ListedPage {
  /** Regular expression of its paths. */
  address: string;
  /** Scripts and styles that it needs beside what every page begins with. */
  parts: string[];
}

interface BuiltPage {
  pattern: RegExp;
  html: string;
}

/**
 * The application's pages: the built one, each with the links by which a browser fetches all that it needs at once, and not when what
 * comes first has been run. Of several that a path fits, the first one is meant.
 */
export async function readBuiltPages(folder: string, page: string): Promise<BuiltPage[]> {
  const listed = JSON.parse(await readFile(path.join(folder, 'pages.json'), 'utf8')) as ListedPage[];
  return listed.map(({ address, parts }) => ({
    pattern: new RegExp(address),
    html: page.replace('</head>', `${parts.map(linkTo).join('')}</head>`),
  }));
}

function linkTo(part: string): string {
  const kind = part.endsWith('.css') ? 'rel="preload" as="style"' : 'rel="modulepreload"';
  return `<link ${kind} crossorigin href="/${part}">`;
}
