import type { z } from 'zod';
import { DetailsConfig, PaymentConfig, type product as contract } from '../../../contract/product.ts';
import { inAgent, inOrganization, organizationOf } from '../../access/gate.ts';
import { requireRoom } from '../../access/quota.ts';
import { AppError, notFound } from '../../app-error.ts';
import type { Handlers, MemberCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { reach } from '../../payment/reach.ts';
import { recordAudit } from '../audit/store.ts';
import { findAccount } from './connect-store.ts';
import { productOf } from './present.ts';
import { costsTheSame, isForSale, isPaid, makePrice, renameProduct, withPrice } from './pricing.ts';
import * as store from './store.ts';
import type { ListedProduct } from './store.ts';

type Changes = Omit<z.output<typeof contract.update.input>, 'id'>;

/** The starting values; somebody who knows what it is for fills them in. */
const draft = {
  paymentConfig: PaymentConfig.parse({ kind: 'recurring', amount: 900, currency: 'usd', interval: 'month' }),
  detailsConfig: DetailsConfig.parse({ name: 'New plan' }),
};

export function productHandlers(deps: Deps): Handlers<typeof contract> {
  const { db, payments } = deps;

  const inProduct = async <T>(
    caller: MemberCaller,
    id: string,
    permission: 'agent.read' | 'agent.write',
    work: (tx: Tx, product: ListedProduct) => Promise<T>,
  ): Promise<T> => {
    const organizationId = await organizationOf(db, 'product', id);
    return inOrganization(db, caller, organizationId, permission, async (tx, { agents: seen }) => {
      const lock = permission === 'agent.write';
      const found = await store.findProduct(tx, { organizationId, id }, { seen, lock });
      if (!found) throw notFound();
      return work(tx, found);
    });
  };

  /** The product as it will be, with a price at the provider if it is for sale. Stores nothing. */
  const changed = async (
    before: ListedProduct,
    account: { id: string; canBePaid: boolean } | undefined,
    given: Changes,
  ): Promise<store.ProductChanges> => {
    const { state = before.state, detailsConfig = before.detailsConfig } = given;
    const wanted = given.paymentConfig ?? before.paymentConfig;
    const { priceId } = given;
    if (detailsConfig.name !== before.detailsConfig.name && before.accountId === account?.id)
      await renameProduct(payments.stripe, before, detailsConfig.name);
    if (priceId !== undefined && priceId !== before.priceId) {
      if (!account) throw notFound();
      const price = await reach(payments.stripe.prices.retrieve(priceId, {}, { stripeAccount: account.id }));
      const paymentConfig = withPrice(wanted, price);
      if (state === 'active') requirePayable(account);
      return { state, detailsConfig, paymentConfig, priceId, accountId: account.id };
    }
    const isSame = costsTheSame(before.paymentConfig, wanted) && before.accountId === account?.id;
    const next = { state, detailsConfig, paymentConfig: wanted, priceId: isSame ? before.priceId : null };
    if (state !== 'active' || !isPaid(wanted)) return next;
    if (next.priceId !== null && before.state === 'active') return next;
    const payable = requirePayable(account);
    if (next.priceId !== null && (await isForSale(payments.stripe, payable.id, next.priceId))) return next;
    return {
      ...next,
      ...(await makePrice(payments.stripe, payable.id, { ...before, detailsConfig }, wanted)),
    };
  };

  return {
    list: async ({ agentId }, caller) => {
      const products = await inAgent(db, caller, agentId, 'agent.read', (tx, { organizationId }) =>
        store.listProducts(tx, organizationId, agentId),
      );
      return { products: products.map(productOf) };
    },

    get: async ({ id }, caller) => ({
      product: productOf(await inProduct(caller, id, 'agent.read', async (_tx, found) => found)),
    }),

    create: ({ organizationId, agentId }, caller, context) =>
      inAgent(db, caller, agentId, 'agent.write', async (tx, agent) => {
        if (agent.organizationId !== organizationId) throw notFound();
        await requireRoom(tx, deps.config, organizationId, 'products');
        const made = await store.insertProduct(tx, { organizationId, agentId, ...draft });
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'product.create',
          target: { id: made.id, name: made.detailsConfig.name },
        });
        return { product: productOf(made) };
      }),

    update: async ({ id, ...given }, caller, context) => {
      // Nothing is created for a caller who may not change it.
      const { before, account } = await inProduct(caller, id, 'agent.write', async (tx, product) => ({
        before: product,
        account: await payableOf(tx, product.organizationId),
      }));
      const changes = await changed(before, account, given);
      return inProduct(caller, id, 'agent.write', async (tx, now) => {
        if (now.updatedAt.getTime() !== before.updatedAt.getTime()) throw new AppError('resource/conflict');
        const isBack = now.state === 'archived' && changes.state !== 'archived';
        if (isBack) await requireRoom(tx, deps.config, now.organizationId, 'products');
        await store.updateProduct(tx, now, changes);
        const after = { ...now, ...changes };
        await recordAudit(tx, caller, context, {
          organizationId: now.organizationId,
          action: 'product.update',
          target: { id, name: after.detailsConfig.name },
          before: auditedOf(now),
          after: auditedOf(after),
        });
        const stored = await store.findProduct(tx, now);
        return { product: productOf(stored ?? now) };
      });
    },

    remove: async ({ id }, caller, context) => {
      await inProduct(caller, id, 'agent.write', async (tx, product) => {
        const isGone = await store.deleteUnbought(tx, product);
        if (!isGone) await store.updateProduct(tx, product, { state: 'archived' });
        await recordAudit(tx, caller, context, {
          organizationId: product.organizationId,
          action: 'product.remove',
          target: { id, name: product.detailsConfig.name },
          before: auditedOf(product),
        });
      });
      return { deleted: true };
    },
  };
}

async function payableOf(tx: Tx, organizationId: string) {
  const found = await findAccount(tx, organizationId);
  return found?.accountId ? { id: found.accountId, canBePaid: found.chargesEnabled } : undefined;
}

/** Nothing goes on sale that nobody can pay for. Errors: 409. */
function requirePayable<T extends { canBePaid: boolean }>(account: T | undefined): T {
  if (!account?.canBePaid) throw new AppError('payment/account-needed');
  return account;
}

function auditedOf({ state, paymentConfig, detailsConfig, priceId }: store.StoredProduct) {
  return { state, priceId, paymentConfig: JSON.stringify(paymentConfig), name: detailsConfig.name };
}
