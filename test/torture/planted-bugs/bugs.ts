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
    'who is no member owns every organization',
    'server/access/gate.ts',
    'if (!standing) throw unseen();',
    "if (!standing) return { role: 'owner', agents: undefined };",
    access,
    { named: 'chatbot.list' },
  ),
  bug(
    'every role may everything',
    'server/access/gate.ts',
    "if (!may(standing.role, permission)) throw new AppError('auth/forbidden');",
    '',
    access,
    { named: 'apiKey.create' },
  ),
  bug(
    'teams close nothing',
    'server/access/gate.ts',
    '.where(and(isIt, isNull(agent.deletedAt), agents))',
    '.where(and(isIt, isNull(agent.deletedAt)))',
    'src/server/features/team/team.test.ts',
  ),
  bug(
    'a private agent is seen by everybody',
    'server/access/gate.ts',
    'return agent.isPublic || isMemberWhoSees(tx, agent, caller);',
    'return true;',
    'test/access/foreign-ids.test.ts',
    { named: 'chat.create' },
  ),
  bug(
    'the list of sites binds no visitor',
    'server/access/gate.ts',
    'if (!byKey && !isAllowedSite(agent.allowedOrigins, site))',
    'if (!byKey && false)',
    'src/server/features/visitor/site.test.ts',
  ),
  bug(
    'a key opens every organization',
    'server/access/standing.ts',
    'if (caller.organizationId !== organizationId) return undefined;',
    '',
    'src/server/features/api-key/api-key.test.ts',
  ),
  bug(
    'a reading key writes',
    'server/access/standing.ts',
    "caller.scope === 'write' ? 'editor' : 'viewer'",
    "'editor'",
    'src/server/features/api-key/api-key.test.ts',
  ),
  bug(
    'a conversation is everybody’s',
    'server/features/chat/store.ts',
    '(c.user_id = ${userId} or',
    "(c.user_id <> '' or",
    access,
    { named: 'on another person' },
  ),
  bug(
    'what stands beside a message is of every conversation',
    'server/features/chat/store.ts',
    'where s.conversation_id = "message"."conversation_id" and',
    'where',
    'src/server/features/chat/branches.test.ts',
  ),
  bug(
    'a scope stays with its connection',
    'server/db/settings.ts',
    "set_config('parley.organization', ${organization}, true), set_config('parley.user', $2, true)",
    "set_config('parley.organization', ${organization}, false), set_config('parley.user', $2, false)",
    'src/server/db/open.test.ts',
  ),
];

export const bugs: Bug[] = [
  ...scopeClauses,
  bug(
    'strangers make calls of members',
    'server/http/bind.ts',
    "if (caller.kind === 'anonymous') throw new AppError('auth/unauthenticated');",
    '',
    access,
    { named: 'organization.list' },
  ),
  bug(
    'visitors make every call',
    'server/http/bind.ts',
    "throw new AppError('auth/forbidden', 'A visitor can only chat with the agent.');",
    'return;',
    access,
    { named: 'organization.list' },
  ),
  bug(
    'fields that are not known are taken',
    'server/http/bind.ts',
    'return z.strictObject(',
    'return z.object(',
    'test/access/fields.test.ts',
    { named: 'team.create' },
  ),
  bug(
    'no call has a limit',
    'server/http/bind.ts',
    'rateLimit: route.limit ? {',
    'rateLimit: route.limit && false ? {',
    'src/server/http/limits.test.ts',
  ),
  bug(
    'a body may be as long as it likes',
    'server/http/server.ts',
    'bodyLimit: JSON_BODY_MAX_BYTES,',
    'bodyLimit: 1e9,',
    'src/server/http/http.test.ts',
  ),
  bug(
    'JSON may be as deep as it likes',
    'server/http/server.ts',
    'if (depth > JSON_MAX_DEPTH) return true;',
    '',
    'test/http-attacks.test.ts',
    { named: 'nested too deeply' },
  ),
  bug(
    'an address that no route can read is answered by the framework',
    'server/http/server.ts',
    'frameworkErrors: refuseAddress(headers),',
    '',
    'test/fuzz/http.test.ts',
    { named: 'no route can read' },
  ),
  bug(
    'other sites write with our cookies',
    'server/http/same-site.ts',
    'if (safeMethods.has(request.method)) return;',
    'return;',
    'src/server/features/identity/identity.test.ts',
  ),
  bug(
    'errors tell what is inside',
    'server/http/problems.ts',
    "new AppError('server/error', undefined, { cause: error })",
    "new AppError('server/error', String(error), { cause: error })",
    'test/http-attacks.test.ts',
    { named: 'of which nobody thought' },
  ),
  bug(
    'an Idempotency-Key answers another request',
    'server/http/idempotency.ts',
    "if (earlier.requestHash !== requestHash) throw new AppError('idempotency/mismatch');",
    '',
    'src/server/http/idempotency.test.ts',
  ),
  bug(
    'a name may also mean an address inside',
    'server/egress/target.ts',
    'if (!isAllowed && !addresses.every(isPublicAddress)) throw notAllowed();',
    'if (!isAllowed && !addresses.some(isPublicAddress)) throw notAllowed();',
    'src/server/egress/egress.test.ts',
  ),
  bug(
    'the metadata of clouds is public',
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
    'small answers unpack to large ones',
    'server/egress/body.ts',
    'Math.min(maxBytes, received.length * PAGE_MAX_COMPRESSION_RATIO)',
    'maxBytes',
    'src/server/egress/egress-limits.test.ts',
  ),
  bug(
    'cells are formulas',
    'server/csv.ts',
    "beginsLikeFormula.test(value) ? `'${value}` : value",
    'value',
    'src/server/features/audit/audit.test.ts',
  ),
  bug(
    'secrets are kept as they are',
    'server/identity/secrets.ts',
    "return hash('sha256', secret, 'base64url');",
    'return secret;',
    'src/server/features/api-key/api-key.test.ts',
  ),
  {
    what: 'what is encrypted for one row is read in another',
    file: 'src/server/identity/vault-keys.ts',
    changes: [
      { find: '.setAAD(Buffer.from(owner));', put: ';' },
      { find: 'decipher.setAAD(Buffer.from(owner)).setAuthTag', put: 'decipher.setAuthTag' },
    ],
    tests: ['src/server/features/model/model.test.ts'],
  },
  bug(
    'one kind of token is taken for another',
    'server/identity/signed-tokens.ts',
    'audience: kind.audience,\n        typ: kind.typ,',
    '',
    'src/server/identity/token-kinds.test.ts',
  ),
  bug(
    'a token lives as long as it says',
    'server/identity/signed-tokens.ts',
    'maxTokenAge: kind.lifetimeSeconds,',
    '',
    'src/server/identity/tokens.test.ts',
  ),
  bug(
    'a user token is good at every agent',
    'server/features/visitor/user-token.ts',
    'if (aud !== undefined && ![aud].flat().includes(agentId))',
    'if (false)',
    'src/server/features/visitor/user-token.test.ts',
  ),
  bug(
    'an invite is accepted again and again',
    'server/features/member/invite-store.ts',
    "const isOpen = and(eq(invite.status, 'pending'), gt(invite.expiresAt, sql`now()`));",
    'const isOpen = gt(invite.expiresAt, sql`now()`);',
    'src/server/features/member/invite.test.ts',
  ),
  bug(
    'an invite is for whoever has its link',
    'server/features/member/invite-handlers.ts',
    "if (!received.isForMe) throw new AppError('invite/other-email');",
    '',
    'src/server/features/member/invite.test.ts',
  ),
  bug(
    'a link that was revoked still opens',
    'server/features/chat-link/store.ts',
    'isNull(chatLink.revokedAt),\n  or(',
    'or(',
    'src/server/features/chat-link/chat-link.test.ts',
  ),
  {
    what: 'a socket watches every agent',
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
    'who is signed in goes on with the connection of anybody',
    'server/realtime/polling.ts',
    'sessions.get(id) !== bearer.caller.sessionId',
    'sessions.get(id) === undefined',
    'src/server/realtime/realtime.test.ts',
  ),
  bug(
    'events of the other mode count',
    'server/payment/events.ts',
    "if (event.livemode === provider.isTestMode) return 'it is of the other mode';",
    '',
    'src/server/payment/events.test.ts',
  ),
  bug(
    'links of every kind are links',
    'web/chat/markdown/address.ts',
    'return url && ALLOWED.has(url.protocol) ? url.href : null;',
    'return url ? url.href : null;',
    'src/web/chat/markdown/hostile.test.tsx',
  ),
  {
    what: 'pictures of other hosts are loaded',
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
    'https://*.a.com is for https://evil-a.com',
    'server/access/sites.ts',
    "entry.split('://*');",
    "entry.split('://*.');",
    'src/server/access/sites.test.ts',
  ),
  bug(
    'who erases themselves erases what others of that name have done',
    'server/features/privacy/erase-person-store.ts',
    "or (${isTheirs} and a.target_id like 'mem\\\\_%' and a.target_name = ${name})",
    'or position(${JSON.stringify(name)} in concat(a.before, a.after)) > 0',
    'src/server/features/privacy/erase.test.ts',
    { named: 'whatever somebody is called' },
  ),
  bug(
    'a cursor is good for anybody',
    'server/http/pages.ts',
    'JSON.stringify([operationId, who, fields',
    'JSON.stringify([operationId, fields',
    'src/server/http/pages.test.ts',
  ),
  bug(
    'the fuzzer: who is no member owns every organization',
    'server/access/gate.ts',
    'if (!standing) throw unseen();',
    "if (!standing) return { role: 'owner', agents: undefined };",
    'test/fuzz/http.test.ts',
    { named: 'requests of every kind', env: { FUZZ_REQUESTS: '2500', FUZZ_SEED: '7' } },
  ),
];
