import * as z from 'zod';

/** Every kind of thing that has an id, with the prefix that its ids carry. */
export const idPrefixes = {
  user: 'usr',
  session: 'ses',
  organization: 'org',
  member: 'mem',
  agent: 'agt',
  knowledge: 'knw',
  source: 'src',
  chunk: 'chk',
  file: 'fil',
  upload: 'upl',
  conversation: 'cnv',
  message: 'msg',
  mail: 'mai',
  signInLink: 'lnk',
  team: 'tem',
  invite: 'inv',
  apiKey: 'key',
  audit: 'aud',
  visitor: 'vis',
  plugin: 'plg',
} as const;

export type IdKind = keyof typeof idPrefixes;

/** The schema of a TypeID of one kind: prefix, underscore, UUIDv7 in 26 base-32 characters. */
export function idOf(kind: IdKind) {
  const prefix = idPrefixes[kind];
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`), `Must be an id of the form ${prefix}_….`);
}
