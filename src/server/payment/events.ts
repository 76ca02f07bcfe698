import Stripe from 'stripe';
import { PAYMENT_EVENT_TOLERANCE_SECONDS } from '../../contract/limits.ts';
import { AppError } from '../app-error.ts';
import { speakFor, type Database, type Tx } from '../db/scope.ts';
import type { Log } from '../log.ts';
import { limitConcurrency } from '../load/concurrency-limit.ts';
import { beginEvent, isKnown, lockCustomer } from './event-store.ts';
import { readAgain, type ReadObject } from './read-again.ts';

/** An effect's input: the object as it is now, whatever the event said about it. */
export interface Happening {
  event: Stripe.Event;
  /** Undefined if it no longer exists. */
  object: ReadObject | undefined;
  /** The connected account where it happened; undefined: our own. */
  account: string | undefined;
}

/**
 * Updates the database to match the object. The transaction is not scoped to an organization yet (`speakFor`). Events
 * for an object may arrive in any order, so an effect relies on what the object is, not on what happened.
 */
type Effect = (tx: Tx, happening: Happening) => Promise<void>;

export interface PaymentEvents {
  /** Adds an effect to the existing ones. Returns a function that removes it. */
  on: (type: Stripe.Event['type'], effect: Effect) => () => void;
  /** Sets which connected accounts are ours; until then none is. */
  knowAccounts: (isOurs: (account: string) => Promise<boolean>) => void;
  /**
   * Receives a delivery: its raw bytes, and every signature header that came with it. Resolves once its effect is
   * committed, or if it has none. Errors: `request/invalid` unless it carries exactly one recent signature made for us.
   */
  receive: (body: Buffer, signatures: readonly string[]) => Promise<'done' | 'known' | 'ignored'>;
}

/** The provider the events come from. */
export interface Provider {
  stripe: Stripe;
  /** No money moves: the stand-in, or Stripe with a test key. */
  isTestMode: boolean;
  /** One per endpoint registered at Stripe: each event is signed with one of them. */
  webhookSecrets: readonly string[];
}

/** Concurrent events per process. Those for one customer wait for each other in the database, each holding a connection. */
const EVENTS_AT_ONCE = 4;

export function createPaymentEvents(db: Database, log: Log, provider: Provider): PaymentEvents {
  const effects = new Map<string, Set<Effect>>();
  const turns = limitConcurrency(EVENTS_AT_ONCE);
  let isOurs: (account: string) => Promise<boolean> = async () => false;

  const reasonToIgnore = async (event: Stripe.Event): Promise<string | undefined> => {
    if (event.livemode === provider.isTestMode) return 'it is of the other mode';
    if (!effects.get(event.type)?.size) return 'nothing follows from it';
    if (event.account !== undefined && !(await isOurs(event.account))) return 'the account is not ours';
    return undefined;
  };

  const take = async (event: Stripe.Event, following: Iterable<Effect>): Promise<'done' | 'known'> => {
    const account = event.account;
    return db.in({}, async (tx) => {
      await lockCustomer(tx, `${account ?? ''} ${customerOf(event)}`);
      if (!(await beginEvent(tx, { id: event.id, type: event.type, account: account ?? null })))
        return 'known';
      // Read under the lock: later events read newer state.
      const object = await readAgain(provider.stripe, event);
      for (const effect of following) {
        await speakFor(tx, '');
        await effect(tx, { event, object, account });
      }
      return 'done';
    });
  };

  return {
    on: (type, effect) => {
      const following = effects.get(type) ?? new Set();
      effects.set(type, following.add(effect));
      return () => void following.delete(effect);
    },
    knowAccounts: (check) => {
      isOurs = check;
    },
    receive: async (body, signatures) => {
      const event = verified(body, signatures, provider.webhookSecrets);
      const reason = await reasonToIgnore(event);
      const following = effects.get(event.type);
      if (reason !== undefined || !following) {
        log.info(
          { event: event.id, type: event.type, account: event.account, reason },
          'a payment event was ignored',
        );
        return 'ignored';
      }
      if (await isKnown(db, event.id)) return 'known';
      return turns(() => take(event, following));
    },
  };
}

/** Stripe's own check on the raw bytes; and, since it only rejects old timestamps, one for future timestamps. */
function verified(body: Buffer, signatures: readonly string[], secrets: readonly string[]): Stripe.Event {
  const [signature = ''] = signatures;
  const seconds = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1]);
  const isFuture = !(seconds <= Date.now() / 1000 + PAYMENT_EVENT_TOLERANCE_SECONDS);
  if (signatures.length !== 1 || isFuture) throw notSigned();
  for (const secret of secrets) {
    try {
      return Stripe.webhooks.constructEvent(body, signature, secret, PAYMENT_EVENT_TOLERANCE_SECONDS);
    } catch (error) {
      const isOfAnother = error instanceof Stripe.errors.StripeSignatureVerificationError;
      if (!isOfAnother) throw notSigned();
    }
  }
  throw notSigned();
}

function notSigned(): AppError {
  return new AppError('request/invalid', 'The signature is not right.');
}

/** The customer it is about, so that events about them are serialized. */
function customerOf(event: Stripe.Event): string {
  const { id = '', customer } = event.data.object as {
    id?: string;
    customer?: string | { id: string } | null;
  };
  return typeof customer === 'string' ? customer : (customer?.id ?? id);
}
