import { typeid } from 'typeid-js';
import { idPrefixes, type IdKind } from '../contract/id-format.ts';

/** A new id of this kind: sorts by time, 74 random bits beside the millisecond. */
export function newId(kind: IdKind): string {
  return typeid(idPrefixes[kind]).toString();
}
