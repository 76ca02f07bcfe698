/** Every kind of object that has an id, with its id prefix. */
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
  attachment: 'att',
  chatLink: 'shr',
  modelProvider: 'mpr',
  agentImport: 'imp',
  testSet: 'tst',
  testCase: 'tsc',
  testRun: 'run',
  tool: 'tol',
  toolCall: 'tcl',
  channelThread: 'cth',
  channelMessage: 'chm',
  webhookDelivery: 'whd',
  toolAccount: 'tac',
  lead: 'led',
  handover: 'hnd',
  note: 'not',
  cannedAnswer: 'can',
  product: 'prd',
  purchase: 'pur',
  entitlement: 'ent',
  storefront: 'stf',
  erasure: 'era',
  dataExport: 'exp',
  questionCluster: 'qcl',
  topic: 'top',
  insightLink: 'isl',
} as const;

export type IdKind = keyof typeof idPrefixes;

/** A TypeID of one kind: prefix, underscore, UUIDv7 in 26 base-32 characters. */
export function idPattern(kind: IdKind): RegExp {
  return new RegExp(`^${idPrefixes[kind]}_[0-7][0-9a-hjkmnp-tv-z]{25}$`);
}

/** The same check as the schema, for pages too small for a schema library. */
export function isId(kind: IdKind, value: unknown): boolean {
  return typeof value === 'string' && idPattern(kind).test(value);
}
