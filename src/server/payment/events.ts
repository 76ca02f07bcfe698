import Stripe from 'stripe';
import { PAYMENT_EVENT_TOLERANCE_SECONDS } from '../../contract/limits.ts';
import { AppError } from '../app-error.ts';
import { speakFor, type Database, type Tx } from '../db/scope.ts';
import type { Log } from '../log.ts';
import { limitConcurrency } from '../load/concurrency-limit.ts';
import { beginEvent, isKnown, lockCustomer } from './event-store.ts';
import { readAgain, type ReadObject } from './read-again.ts';

/** What an effect is told: the object as it is now, whatever the event said of it. */
export interface Happening {
  event: Stripe.Event;
  /** Undefined when it does not exist any more. */
  object: ReadObject | undefined;
  /** The connected account that it happened at; undefined: our own. */
  account: string | undefined;
}

/**
 * Changes the database as the object wants it. The transaction speaks for no organization yet (`speakFor`). It may come for
 * the same object in any order, so it goes by what the object is, not by what has happened.
 */
type Effect = (tx: Tx, happening: Happening) => Promise<void>;

export interface PaymentEvents {
  /** Beside what follows from it already. Answers what takes it back. */
  on: (type: Stripe.Event['type'], effect: Effect) => () => void;
  /** Says which connected accounts are ours; before that none is. */
  knowAccounts: (isOurs: (account: string) => Promise<boolean>) => void;
  /**
   * Takes a delivery: its bytes as they came, and every signature header that came with them. Resolves when its effect is
   * committed, or when it has none. Errors: `request/invalid` when it was not signed for us, just now, and once.
   */
  receive: (body: Buffer, signatures: readonly string[]) => Promise<'done' | 'known' | 'ignored'>;
}

/** Whose events these are. */
export interface Provider {
  stripe: Stripe;
  /** No money moves: the stand-in, or Stripe with a test key. */
  isTestMode: boolean;
  /** One for each endpoint that was registered at Stripe: events are signed by one of them. */
  webhookSecrets: readonly string[];
}

/** At once at one process. Those for one customer wait for each other in the database, each with a connection. */
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
      // Read under the lock: whoever comes later reads what is newer.
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

/** Stripe's own check, over the bytes as they came; and, as it looks into the past only, one into the future. */
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

/** Whom it is about, so that what is about them comes one after the other. */
function customerOf(event: Stripe.Event): string {
  const { id = '', customer } = event.data.object as {
    id?: string;
    customer?: string | { id: string } | null;
  };
  return typeof customer === 'string' ? customer : (customer?.id ?? id);
}
