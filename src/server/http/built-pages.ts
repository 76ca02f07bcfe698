import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** A page of the application, as the build lists it in `pages.json`. */
interface ListedPage {
  /** Regular expression for its paths. */
  address: string;
  /** Scripts and styles it needs in addition to those of every page. */
  parts: string[];
}

interface BuiltPage {
  pattern: RegExp;
  html: string;
}

/**
 * The application's pages: the built page, each with links that let a browser fetch everything it needs right away, not
 * after the first scripts have run. Of several pages that match a path, the first one wins.
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
