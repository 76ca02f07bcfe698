/**
 * Bugs that would be vulnerabilities, one of each kind. Each is planted in a copy of the tree, and its tests must then
 * fail. `find` occurs exactly once in its file, so that a bug that can no longer be planted is noticed at once.
 */
export interface Bug {
  what: string;
  file: string;
  changes: { find: string; put: string }[];
  tests: string[];
  /** Only tests with a matching name. */
  named?: string;
  env?: Record<string, string>;
}

const access = 'test/access/access.test.ts';
const bug = (
  what: string,
  file: string,
  find: string,
  put: string,
  test: string,
  more: Pick<Bug, 'named' | 'env'> = {},
): Bug => ({ what, file: `src/${file}`, changes: [{ find, put }], tests: [test], ...more });

/** The clauses that keep out anybody who doesn't belong to the organization, the agent, or the conversation. */
const scopeClauses: Bug[] = [
  bug(
    'a non-member owns every organization',
    'server/access/gate.ts',
    'if (!standing) throw unseen();',
    "if (!standing) return { role: 'owner', agents: undefined };",
    access,
    { named: 'chatbot.list' },
  ),
  bug(
    'every role has every permission',
    'server/access/gate.ts',
    "if (!may(standing.role, permission)) throw new AppError('auth/forbidden');",
    '',
    access,
    { named: 'apiKey.create' },
  ),
  bug(
    'teams restrict nothing',
    'server/access/gate.ts',
    '.where(and(isIt, isNull(agent.deletedAt), agents))',
    '.where(and(isIt, isNull(agent.deletedAt)))',
    'src/server/features/team/team.test.ts',
  ),
  bug(
    'a private agent is visible to everyone',
    'server/access/gate.ts',
    'return agent.isPublic || isMemberWhoSees(tx, agent, caller);',
    'return true;',
    'test/access/foreign-ids.test.ts',
    { named: 'chat.create' },
  ),
  bug(
    'the list of allowed sites restricts no visitor',
    'server/access/gate.ts',
    'if (!byKey && !isAllowedSite(agent.allowedOrigins, site))',
    'if (!byKey && false)',
    'src/server/features/visitor/site.test.ts',
  ),
  bug(
    'a key opens any organization',
    'server/access/standing.ts',
    'if (caller.organizationId !== organizationId) return undefined;',
    '',
    'src/server/features/api-key/api-key.test.ts',
  ),
  bug(
    'a read-only key can write',
    'server/access/standing.ts',
    "caller.scope === 'write' ? 'editor' : 'viewer'",
    "'editor'",
    'src/server/features/api-key/api-key.test.ts',
  ),
  bug(
    'a conversation belongs to everyone',
    'server/features/chat/store.ts',
    '(c.user_id = ${userId} or',
    "(c.user_id <> '' or",
    access,
    { named: 'on another person' },
  ),
  bug(
    'a message has siblings from every conversation',
    'server/features/chat/store.ts',
    'where s.conversation_id = "message"."conversation_id" and',
    'where',
    'src/server/features/chat/branches.test.ts',
  ),
  bug(
    'a scope stays on its connection',
    'server/db/settings.ts',
    "set_config('parley.organization', ${organization}, true), set_config('parley.user', $2, true)",
    "set_config('parley.organization', ${organization}, false), set_config('parley.user', $2, false)",
    'src/server/db/open.test.ts',
  ),
];

export const bugs: Bug[] = [
  ...scopeClauses,
  bug(
    'anonymous callers can make members’ calls',
    'server/http/bind.ts',
    "if (caller.kind === 'anonymous') throw new AppError('auth/unauthenticated');",
    '',
    access,
    { named: 'organization.list' },
  ),
  bug(
    'visitors can make every call',
    'server/http/bind.ts',
    "throw new AppError('auth/forbidden', 'A visitor can only chat with the agent.');",
    'return;',
    access,
    { named: 'organization.list' },
  ),
  bug(
    'unknown fields are accepted',
    'server/http/bind.ts',
    'return z.strictObject(',
    'return z.object(',
    'test/access/fields.test.ts',
    { named: 'team.create' },
  ),
  bug(
    'no call has a rate limit',
    'server/http/bind.ts',
    'rateLimit: route.limit ? {',
    'rateLimit: route.limit && false ? {',
    'src/server/http/limits.test.ts',
  ),
  bug(
    'a body may have any length',
    'server/http/server.ts',
    'bodyLimit: JSON_BODY_MAX_BYTES,',
    'bodyLimit: 1e9,',
    'src/server/http/http.test.ts',
  ),
  bug(
    'JSON may be nested to any depth',
    'server/http/server.ts',
    'if (depth > JSON_MAX_DEPTH) return true;',
    '',
    'test/http-attacks.test.ts',
    { named: 'too deeply nested' },
  ),
  bug(
    'the framework answers a URL that no route can read',
    'server/http/server.ts',
    'frameworkErrors: refuseAddress(headers),',
    '',
    'test/fuzz/http.test.ts',
    { named: 'unparsable address' },
  ),
  bug(
    'other sites can write with our cookies',
    'server/http/same-site.ts',
    'if (safeMethods.has(request.method)) return;',
    'return;',
    'src/server/features/identity/identity.test.ts',
  ),
  bug(
    'errors reveal internals',
    'server/http/problems.ts',
    "new AppError('server/error', undefined, { cause: error })",
    "new AppError('server/error', String(error), { cause: error })",
    'test/http-attacks.test.ts',
    { named: 'unexpected failure' },
  ),
  bug(
    'an Idempotency-Key answers a different request',
    'server/http/idempotency.ts',
    "if (earlier.requestHash !== requestHash) throw new AppError('idempotency/mismatch');",
    '',
    'src/server/http/idempotency.test.ts',
  ),
  bug(
    'a hostname may also resolve to an internal address',
    'server/egress/target.ts',
    'if (!isAllowed && !addresses.every(isPublicAddress)) throw notAllowed();',
    'if (!isAllowed && !addresses.some(isPublicAddress)) throw notAllowed();',
    'src/server/egress/egress.test.ts',
  ),
  bug(
    'cloud metadata addresses count as public',
    'server/egress/addresses.ts',
    "'169.254.0.0/16',",
    '',
    'src/server/egress/addresses.test.ts',
  ),
  bug(
    'credentials follow a redirect to another site',
    'server/egress/headers.ts',
    "new Set(['accept', 'accept-language', 'user-agent'])",
    "new Set(['accept', 'accept-language', 'user-agent', 'authorization', 'cookie'])",
    'src/server/egress/egress.test.ts',
  ),
  bug(
    'small responses may unpack to large ones',
    'server/egress/body.ts',
    'Math.min(maxBytes, received.length * PAGE_MAX_COMPRESSION_RATIO)',
    'maxBytes',
    'src/server/egress/egress-limits.test.ts',
  ),
  bug(
    'cells can be formulas',
    'server/csv.ts',
    "beginsLikeFormula.test(value) ? `'${value}` : value",
    'value',
    'src/server/features/audit/audit.test.ts',
  ),
  bug(
    'secrets are stored in plain text',
    'server/identity/secrets.ts',
    "return hash('sha256', secret, 'base64url');",
    'return secret;',
    'src/server/features/api-key/api-key.test.ts',
  ),
  {
    what: 'a value encrypted for one row can be read in another',
    file: 'src/server/identity/vault-keys.ts',
    changes: [
      { find: '.setAAD(Buffer.from(owner));', put: ';' },
      { find: 'decipher.setAAD(Buffer.from(owner)).setAuthTag', put: 'decipher.setAuthTag' },
    ],
    tests: ['src/server/features/model/model.test.ts'],
  },
  bug(
    'one kind of token is accepted as another',
    'server/identity/signed-tokens.ts',
    'audience: kind.audience,\n        typ: kind.typ,',
    '',
    'src/server/identity/token-kinds.test.ts',
  ),
  bug(
    'a token is valid for as long as it claims',
    'server/identity/signed-tokens.ts',
    'maxTokenAge: kind.lifetimeSeconds,',
    '',
    'src/server/identity/tokens.test.ts',
  ),
  bug(
    'a user token is valid for every agent',
    'server/features/visitor/user-token.ts',
    'if (aud !== undefined && ![aud].flat().includes(agentId))',
    'if (false)',
    'src/server/features/visitor/user-token.test.ts',
  ),
  bug(
    'an invite can be accepted repeatedly',
    'server/features/member/invite-store.ts',
    "const isOpen = and(eq(invite.status, 'pending'), gt(invite.expiresAt, sql`now()`));",
    'const isOpen = gt(invite.expiresAt, sql`now()`);',
    'src/server/features/member/invite.test.ts',
  ),
  bug(
    'anyone with its link can accept an invite',
    'server/features/member/invite-handlers.ts',
    "if (!received.isForMe) throw new AppError('invite/other-email');",
    '',
    'src/server/features/member/invite.test.ts',
  ),
  bug(
    'a revoked link still opens',
    'server/features/chat-link/store.ts',
    'isNull(chatLink.revokedAt),\n  or(',
    'or(',
    'src/server/features/chat-link/chat-link.test.ts',
  ),
  {
    what: 'a socket can watch every agent',
    file: 'src/server/realtime/realtime.ts',
    changes: [
      { find: 'if (!(await mayWatchAgent(caller, agentId))) return acknowledge(false);', put: '' },
      {
        find: 'const stillAllowed = await mayWatchAgent(caller, agentId);',
        put: 'const stillAllowed = true;',
      },
    ],
    tests: ['src/server/realtime/realtime.test.ts'],
  },
  bug(
    'a signed-in user can continue anyone’s connection',
    'server/realtime/polling.ts',
    'sessions.get(id) !== bearer.caller.sessionId',
    'sessions.get(id) === undefined',
    'src/server/realtime/realtime.test.ts',
  ),
  bug(
    'events of the other mode are accepted',
    'server/payment/events.ts',
    "if (event.livemode === provider.isTestMode) return 'it is of the other mode';",
    '',
    'src/server/payment/events.test.ts',
  ),
  bug(
    'links with any protocol are rendered',
    'web/chat/markdown/address.ts',
    'return url && ALLOWED.has(url.protocol) ? url.href : null;',
    'return url ? url.href : null;',
    'src/web/chat/markdown/hostile.test.tsx',
  ),
  {
    what: 'images from other hosts are loaded',
    file: 'src/web/chat/markdown/address.ts',
    changes: [
      {
        find: 'return url && url.origin === origin && /^\\/(files|images)\\//.test(url.pathname)',
        put: 'return url',
      },
      { find: '? url.pathname + url.search', put: '? url.href' },
    ],
    tests: ['src/web/chat/markdown/hostile.test.tsx'],
  },
  bug(
    'https://*.a.com matches https://evil-a.com',
    'server/access/sites.ts',
    "entry.split('://*');",
    "entry.split('://*.');",
    'src/server/access/sites.test.ts',
  ),
  bug(
    'erasing a person also erases what others of that name have done',
    'server/features/privacy/erase-person-store.ts',
    "or (${isTheirs} and a.target_id like 'mem\\\\_%' and a.target_name = ${name})",
    'or position(${JSON.stringify(name)} in concat(a.before, a.after)) > 0',
    'src/server/features/privacy/erase.test.ts',
    { named: 'because of a name' },
  ),
  bug(
    'anyone can use a cursor',
    'server/http/pages.ts',
    'JSON.stringify([operationId, who, fields',
    'JSON.stringify([operationId, fields',
    'src/server/http/pages.test.ts',
  ),
  bug(
    'the fuzzer: a non-member owns every organization',
    'server/access/gate.ts',
    'if (!standing) throw unseen();',
    "if (!standing) return { role: 'owner', agents: undefined };",
    'test/fuzz/http.test.ts',
    { named: 'requests of every kind', env: { FUZZ_REQUESTS: '2500', FUZZ_SEED: '7' } },
  ),
];
