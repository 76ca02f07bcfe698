import { PLUGIN_LOGIN_LIFETIME_MINUTES } from '../../../contract/limits.ts';
import { inOrganization, organizationOf } from '../../access/gate.ts';
import { AppError, notFound } from '../../app-error.ts';
import { Redirect, type RequestContext, type UserCaller } from '../../call.ts';
import type { Deps } from '../../deps.ts';
import { signPluginTicket, verifyPluginTicket } from '../../identity/plugin-tickets.ts';
import { hashSecret, newSecret } from '../../identity/secrets.ts';
import { recordAudit } from '../audit/store.ts';
import * as store from './store.ts';

/** Binds a login to the browser of the member who started it: nobody can be tricked into connecting their account elsewhere. */
const BROWSER_COOKIE = 'plugin-browser';

type Cookies = RequestContext['cookies'];

/** The address that leads this browser to X for a plugin its member may change; valid once, for five minutes. */
export async function beginConnect(
  { identity }: Pick<Deps, 'identity'>,
  userId: string,
  pluginId: string,
  { cookies, origin }: RequestContext,
): Promise<string> {
  const secret = cookies.read(BROWSER_COOKIE) ?? newSecret();
  cookies.write(BROWSER_COOKIE, secret, { maxAgeSeconds: PLUGIN_LOGIN_LIFETIME_MINUTES * 2 * 60 });
  const ticket = await signPluginTicket(identity.keys, {
    sub: userId,
    plugin: pluginId,
    browser: hashSecret(secret),
  });
  return `${origin}/v1/plugin/twitter/oauth-login?ticket=${ticket}`;
}

/** Redirects from our own ticket to X. */
export async function login(
  deps: Deps,
  token: string,
  { cookies, origin }: RequestContext,
): Promise<Redirect> {
  const ticket = await verifyPluginTicket(deps.identity.keys, token);
  if (!ticket || ticket.browser !== browserHashOf(cookies)) throw refused();
  const member = asMember(ticket.sub);
  const organizationId = await organizationOf(deps.db, 'plugin', ticket.plugin).catch(asRefusal);
  const { url, pending } = await deps.x.begin(callbackOf(origin));
  await inOrganization(deps.db, member, organizationId, 'agent.write', async (tx, { agents }) => {
    if (!(await store.findPlugin(tx, organizationId, ticket.plugin, agents))) throw refused();
    const isFirst = await store.insertLogin(tx, {
      stateHash: hashSecret(pending.state),
      organizationId,
      pluginId: ticket.plugin,
      userId: ticket.sub,
      ticketHash: hashSecret(token),
      browserHash: ticket.browser,
      codeVerifier: pending.codeVerifier,
    });
    if (!isFirst) throw refused();
  }).catch(asRefusal);
  return new Redirect(url);
}

/** Back from X: saves the account, if the person who started it still may, and redirects to the plugin's page. */
export async function comeBack(
  deps: Deps,
  { state, code, iss }: { state: string; code?: string | undefined; iss?: string | undefined },
  context: RequestContext,
): Promise<Redirect> {
  const { db, vault, x } = deps;
  const key = { stateHash: hashSecret(state), browserHash: browserHashOf(context.cookies) };
  const organizationId = await organizationOf(db, 'pluginLogin', key.stateHash).catch(asRefusal);
  // Not in one transaction with what follows: a failed login stays used.
  const begun = await db.in({ organizationId }, (tx) => store.consumeLogin(tx, { organizationId, ...key }));
  if (!begun) throw refused();
  const { pluginId, codeVerifier } = begun;
  const account =
    code === undefined
      ? undefined
      : await x.finish(callbackOf(context.origin), { code, iss }, { state, codeVerifier });
  const member = asMember(begun.userId);
  return inOrganization(db, member, organizationId, 'agent.write', async (tx, { agents }) => {
    const found = await store.findPlugin(tx, organizationId, pluginId, agents);
    if (!found) throw notFound();
    const page = `/platform/${organizationId}/agent/${found.plugin.agentId}/plugins/twitter/${pluginId}`;
    // People are free to decline at X.
    if (!account) return new Redirect(page);
    const credentials = vault.encrypt(JSON.stringify(account.credentials), pluginId);
    const { username: accountName } = account;
    await store.updatePlugin(tx, organizationId, pluginId, { credentials, ...store.fromNowOn });
    // X has confirmed whose account it is.
    const works = { health: 'healthy', healthError: null, accountName } as const;
    await store.noteCheck(tx, organizationId, pluginId, works);
    await recordAudit(tx, member, context, {
      organizationId,
      action: 'plugin.connect',
      target: { id: pluginId, name: found.agentName },
      before: { accountName: found.plugin.accountName },
      after: { accountName: account.username },
    });
    return new Redirect(page);
  }).catch(asRefusal);
}

function browserHashOf(cookies: Cookies): string {
  const secret = cookies.read(BROWSER_COOKIE);
  if (secret === undefined) throw refused();
  return hashSecret(secret);
}

/** The member's role is reread at each step; the session in which they started may have ended since. */
function asMember(userId: string): UserCaller {
  return { kind: 'user', userId, sessionId: '', isAnonymous: false, isMember: true };
}

function callbackOf(origin: string): string {
  return `${origin}/v1/plugin/twitter/oauth-callback`;
}

function refused(): AppError {
  return new AppError('plugin/login-refused');
}

/** Doesn't reveal a missing plugin or a revoked right: the call is public. */
function asRefusal(error: unknown): never {
  const isHidden = error instanceof AppError && (error.status === 404 || error.status === 403);
  throw isHidden ? refused() : error;
}
