import * as z from 'zod';
import { idPattern, idPrefixes, type IdKind } from './id-format.ts';

/** The schema of a TypeID of one kind. */
export function idOf(kind: IdKind) {
  return z.string().regex(idPattern(kind), `Must be an id of the form ${idPrefixes[kind]}_….`);
}
