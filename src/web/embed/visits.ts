import { ApiError, createClient } from '../../contract/client.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { ParleyContract } from '../../contract/index.ts';
import type { Visit } from '../../contract/visitor.ts';
import { calls } from '../api/calls.ts';
import { inOneTab } from '../in-one-tab.ts';
import { localKeeper } from '../storage.ts';
import { createStore } from '../store.ts';
import { hearLoader, tellLoader, type Place } from './place.ts';

/** A token this close to its expiry is renewed before use. */
const RENEW_BEFORE_MS = 60_000;

type VisitState =
  | { status: 'entering' }
  | { status: 'refused'; code: ErrorCode }
  /** `person`: a new number for each different person. */
  | { status: 'here'; visit: Visit; person: number };

/** Errors that may pass soon. */
const PASSING: readonly ErrorCode[] = ['server/unavailable', 'server/error', 'request/rate-limited'];

/**
 * Manages visits. The loader makes its site's visits, so that the server learns from the browser which site that is;
 * without one this page makes its own, which a restricted agent refuses.
 */
export function createVisits({ agentId, site }: Place) {
  const state = createStore<VisitState>({ status: 'entering' });
  const key = `parley.visitor.${agentId}.${site ?? location.origin}`;
  /** This page has asked. The site asks on its own when it reports a different visitor. */
  let isAsked = false;
  /** Asked with what is known of the visitor. */
  let isKnown = false;
  const people = tellApart();

  const arrive = (visit: Visit) => {
    const now = state.get();
    const before = now.status === 'here' ? now.visit : null;
    if (visit.refreshToken !== null) localKeeper.set(key, visit.refreshToken);
    settle({ status: 'here', visit, person: people.numberOf(before, visit, isAsked && isKnown) });
  };

  const settle = (next: VisitState) => {
    // A visit that can't be renewed for now continues as long as it can: what is on the page stays, drafts included. A
    // different visitor's does not.
    const isPassing = isAsked && next.status === 'refused' && PASSING.includes(next.code);
    isAsked = false;
    if (!isPassing || state.get().status !== 'here') state.set(next);
    turns.answered();
  };

  const ask = () => {
    isAsked = true;
    const refreshToken = localKeeper.get(key);
    isKnown = refreshToken !== null;
    if (site !== null) return tellLoader(site, { type: 'enter', refreshToken });
    void visitor
      .authenticate({ chatbotId: agentId, ...(refreshToken !== null && { refreshToken }) })
      .then(arrive, (error: unknown) => settle({ status: 'refused', code: codeOf(error) }));
  };

  const turns = takingTurns(key, ask);
  hearLoader(site, (message) => {
    if (message.type === 'visit') arrive(message.visit);
    if (message.type === 'refused') settle({ status: 'refused', code: message.code });
  });

  return {
    state,
    enter: turns.ask,
    /** Call when they have a conversation. */
    begun: people.begun,
    /** Forgets the visitor; the next one is somebody new. */
    forget: () => localKeeper.remove(key),
    /** A token for the next call, renewed when it is about to expire; undefined if none is available. */
    async token(): Promise<string | undefined> {
      const now = state.get();
      if (now.status === 'here' && Date.parse(now.visit.expiresAt) - Date.now() > RENEW_BEFORE_MS)
        return now.visit.token;
      await turns.next();
      const then = state.get();
      return then.status === 'here' ? then.visit.token : undefined;
    },
  };
}

/** Asks for visits. Frames of somebody new that open at once are one visitor: the second asks with what the first was given. */
function takingTurns(key: string, askNow: () => void) {
  const waiting: (() => void)[] = [];
  let leave = () => {};
  const askAndStay = () =>
    new Promise<void>((resolve) => {
      leave = resolve;
      askNow();
    });
  const ask = () => (localKeeper.get(key) === null ? void inOneTab(key, askAndStay) : askNow());
  return {
    ask,
    /** Call with every answer. */
    answered: () => {
      leave();
      for (const go of waiting.splice(0)) go();
    },
    /** Resolves with the next answer, asking for it unless somebody here waits for one already. */
    next: () =>
      new Promise<void>((resolve) => {
        if (waiting.push(resolve) === 1) ask();
      }),
  };
}

/**
 * Numbers consecutive visitors. A visitor who says nothing for a day isn't kept: they return as somebody new, and count
 * as the same here, so that what they have just written is sent. A visitor who has begun something and returns as
 * another is a different person.
 */
function tellApart() {
  let number = 0;
  let hasBegun = false;
  return {
    begun: () => void (hasBegun = true),
    /** `isRenewed`: this page asked for the visit with what is known of the previous visitor. */
    numberOf(before: Visit | null, visit: Visit, isRenewed: boolean): number {
      const isNameless = before !== null && before.refreshToken !== null && visit.refreshToken !== null;
      const isSame = before?.visitorId === visit.visitorId || (isRenewed && isNameless && !hasBegun);
      if (isSame) return number;
      hasBegun = false;
      return (number += 1);
    },
  };
}

export type Visits = ReturnType<typeof createVisits>;

/** Without cookies: a person signed in on our own site is anonymous in a frame on another one. */
export const withoutCookies: typeof fetch = (input, init) => fetch(input, { ...init, credentials: 'omit' });

const { visitor } = createClient<Pick<ParleyContract, 'visitor'>>(
  { visitor: calls.visitor },
  { baseUrl: '', fetch: withoutCookies },
);

export function codeOf(error: unknown): ErrorCode {
  return error instanceof ApiError ? error.code : 'server/error';
}
