import { AppError } from '../../app-error.ts';
import { openCredentials } from '../../channels/open-channel.ts';
import type { XCredentials } from '../../channels/x/sign-in.ts';
import type { Deps } from '../../deps.ts';
import * as store from './store.ts';
import type { StoredPlugin } from './store.ts';

/** How long before they expire tokens are renewed: an answer in progress has valid ones. */
const RENEW_BEFORE_MS = 15 * 60_000;
/** Longer than X may take to respond to a renewal in progress. */
const WAIT_MS = 15_000;

/**
 * The plugin with tokens that stay valid for a while. One process renews at a time, because a refresh token can be used
 * once: if two used the same one, X would revoke both. Errors: `channel/refused` when the account has to be connected
 * again, `channel/unavailable`.
 */
export function renewIn(deps: Deps) {
  return async (plugin: StoredPlugin): Promise<StoredPlugin> =>
    plugin.type === 'twitter' && isDue(deps, plugin) ? renewAlone(deps, plugin) : plugin;
}

async function renewAlone(deps: Deps, plugin: StoredPlugin): Promise<StoredPlugin> {
  const { organizationId, id } = plugin;
  const release = await deps.locks.take(`renew ${id}`, () => undefined, WAIT_MS);
  try {
    const { plugin: current } =
      (await deps.db.in({ organizationId }, (tx) => store.findPlugin(tx, organizationId, id))) ?? {};
    if (!current) throw new AppError('channel/refused');
    return isDue(deps, current) ? await renew(deps, current) : current;
  } finally {
    await release();
  }
}

async function renew({ db, vault, x }: Deps, plugin: StoredPlugin): Promise<StoredPlugin> {
  const { organizationId, id } = plugin;
  const given = await x.renew(credentialsOf(vault, plugin)).catch(asFailure);
  const credentials = vault.encrypt(JSON.stringify(given), id);
  const after = await db.in({ organizationId }, (tx) => store.replaceCredentials(tx, plugin, credentials));
  if (!after) throw new AppError('channel/unavailable');
  return after;
}

function isDue({ vault }: Deps, plugin: StoredPlugin): boolean {
  if (plugin.credentials === null) return false;
  const { expiresAt } = credentialsOf(vault, plugin);
  return expiresAt !== null && Date.parse(expiresAt) < Date.now() + RENEW_BEFORE_MS;
}

function credentialsOf(vault: Deps['vault'], { id, credentials }: StoredPlugin): XCredentials {
  return openCredentials(vault, { id, credentials: credentials ?? '' }) as unknown as XCredentials;
}

function asFailure(error: unknown): never {
  if (error instanceof AppError && error.code === 'auth/provider-refused')
    throw new AppError('channel/refused', 'X no longer allows access to the account. Connect it again.');
  throw new AppError('channel/unavailable', 'X cannot be reached.', { cause: error });
}
