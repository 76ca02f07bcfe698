import { KNOWLEDGE_LINKS_MAX } from '../../../contract/limits.ts';
import { asAddress } from '../../forms/web-address.ts';

/** A field's lines, without blank ones. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The addresses, one per line; null if a line is not an address or there are too many. */
export function readLinks(text: string): string[] | null {
  const links = linesOf(text).map(asAddress);
  if (links.length > KNOWLEDGE_LINKS_MAX) return null;
  return links.every((link) => link !== null) ? links : null;
}
