import type { Entitlement, Offer, Product, Purchase, PaymentConfig } from '../../../contract/product.ts';
import { isOpen, monthOfFree } from '../../access/entitlement.ts';
import type { HeldEntitlement, StoredPurchase } from './purchase-store.ts';
import type { ListedProduct, StoredProduct } from './store.ts';

export function productOf({
  id,
  organizationId,
  agentId,
  state,
  priceId,
  paymentConfig,
  detailsConfig,
  entitled,
  createdAt,
  updatedAt,
}: ListedProduct): Product {
  const dates = { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
  return { id, organizationId, agentId, state, priceId, paymentConfig, detailsConfig, entitled, ...dates };
}

export function offerOf({ id, paymentConfig, detailsConfig }: StoredProduct): Offer {
  return { id, paymentConfig, detailsConfig };
}

export function purchaseOf({
  id,
  productId,
  agentId,
  state,
  name,
  terms,
  createdAt,
}: StoredPurchase): Purchase {
  return { id, productId, agentId, state, name, ...priceOf(terms), createdAt: createdAt.toISOString() };
}

function priceOf(terms: PaymentConfig): Pick<Purchase, 'amount' | 'currency'> {
  return terms.kind === 'free'
    ? { amount: 0, currency: null }
    : { amount: terms.amount, currency: terms.currency };
}

/** An entitlement past its end has ended, whatever is stored. */
export function entitlementOf(found: HeldEntitlement): Entitlement {
  const { id, productId, agentId, kind, name, isUnlimited, endsAt, renews, createdAt } = found;
  const isEnded = ['active', 'trialing', 'past-due'].includes(found.state) && !isOpen(found);
  return {
    id,
    productId,
    agentId,
    state: isEnded ? 'ended' : found.state,
    kind,
    name,
    creditsLeft: isUnlimited ? null : creditsLeftOf(found),
    endsAt: endsAt?.toISOString() ?? null,
    renews,
    createdAt: createdAt.toISOString(),
  };
}

/** Free credits renew with the month, even if nobody has asked in it yet. */
function creditsLeftOf(found: HeldEntitlement): number {
  return monthOfFree(found) && found.terms.credits !== null ? found.terms.credits : found.creditsLeft;
}
