import { KNOWLEDGE_LINKS_MAX } from '../../../contract/limits.ts';
import { asAddress } from '../../forms/web-address.ts';

/** What stands on the lines of a field, without blank ones. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The addresses, one a line; null unless each line is one and there are not too many. */
export function readLinks(text: string): string[] | null {
  const links = linesOf(text).map(asAddress);
  if (links.length > KNOWLEDGE_LINKS_MAX) return null;
  return links.every((link) => link !== null) ? links : null;
}
