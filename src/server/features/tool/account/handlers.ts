import type { toolAccount as contract, ToolAccount } from '../../../../contract/tool.ts';
import { notFound } from '../../../app-error.ts';
import type { Handlers } from '../../../call.ts';
import { signInHost } from '../store.ts';
import { revokeAccount, type RevocationDeps } from './revoke.ts';
import * as store from './store.ts';

/** Everyone sees their own accounts and nobody else's. */
export function toolAccountHandlers(deps: RevocationDeps): Handlers<typeof contract> {
  const { db } = deps;
  const listOwn = (userId: string) => db.in({ userId }, (tx) => store.listOwnAccounts(tx, userId));

  return {
    list: async (_input, { userId }) => {
      const found = await listOwn(userId);
      const accounts = await Promise.all(
        found.map(async (account): Promise<ToolAccount[]> => {
          const { id, organizationId, createdAt } = account;
          const names = await db.in({ organizationId }, (tx) => store.namesOfTool(tx, account));
          if (!names) return [];
          const { authentication, ...named } = names;
          const service = signInHost(authentication) ?? '';
          return [{ id, ...named, service, createdAt: createdAt.toISOString() }];
        }),
      );
      return { accounts: accounts.flat() };
    },

    remove: async ({ id }, { userId }) => {
      const own = (await listOwn(userId)).find((account) => account.id === id);
      if (!own) throw notFound();
      const tool = await db.in(own, (tx) => store.findTool(tx, own));
      await db.in(own, (tx) => store.deleteAccount(tx, own));
      if (tool) await revokeAccount(deps, tool, own);
      return { deleted: true };
    },
  };
}
