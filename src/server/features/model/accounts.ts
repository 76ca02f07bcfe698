import type { Deps } from '../../deps.ts';
import type { OwnAccount } from '../../llm/models.ts';
import { listProviders, type StoredProvider } from './store.ts';

/** An organization's accounts with their keys, for calling its models. One whose key can't be read is skipped. */
export async function readAccounts(
  { db, vault, log }: Pick<Deps, 'db' | 'vault' | 'log'>,
  organizationId: string,
): Promise<OwnAccount[]> {
  const stored = await db.in({ organizationId }, (tx) => listProviders(tx, organizationId));
  return stored.flatMap((row) => {
    try {
      const { id, provider, baseUrl, models, prices, updatedAt } = row;
      const key = `${id} ${updatedAt.getTime()}`;
      return [{ provider, baseUrl: baseUrl ?? undefined, apiKey: keyOf(vault, row), models, prices, key }];
    } catch {
      log.warn({ organizationId, id: row.id }, 'a provider key could not be decrypted');
      return [];
    }
  });
}

/** Throws if it was stored under another secret key. */
export function keyOf(vault: Deps['vault'], { id, apiKey }: StoredProvider): string | undefined {
  return apiKey === null ? undefined : vault.decrypt(apiKey, id);
}
