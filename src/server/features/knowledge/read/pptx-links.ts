import { addressInFile } from './link-address.ts';
import { relationIdOf } from './office.ts';
import { childrenOf, findAll, findFirst, textOf, type XmlElement } from './xml.ts';

/** Writes the address of each of a slide's links, from `links` by id, after its words. */
export function nameLinks(slide: XmlElement, links: ReadonlyMap<string, string>): void {
  if (links.size === 0) return;
  for (const paragraph of findAll(slide, 'p')) {
    const runs = childrenOf(paragraph, 'r').map((run) => ({ run, href: hrefOf(run, links) }));
    for (const [at, { run, href }] of runs.entries()) {
      // A change of format in a link begins another run of it.
      if (href === '' || runs[at + 1]?.href === href) continue;
      const words = runs.map((part) => (part.href === href ? textOf(part.run) : '')).join('');
      const address = addressInFile(words, href);
      if (address !== '') findFirst(run, 't')?.children.push(` (${address})`);
    }
  }
}

function hrefOf(run: XmlElement, links: ReadonlyMap<string, string>): string {
  const link = findFirst(run, 'hlinkClick');
  return link ? (links.get(relationIdOf(link)) ?? '') : '';
}
