import { typeid } from 'typeid-js';
import { idPrefixes, type IdKind } from '../contract/id-format.ts';

/** A new ID of this kind: sortable by time, with 74 random bits besides the millisecond. */
export function newId(kind: IdKind): string {
  return typeid(idPrefixes[kind]).toString();
}
