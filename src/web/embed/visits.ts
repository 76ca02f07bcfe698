import { ApiError, createClient } from '../../contract/client.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { ParleyContract } from '../../contract/index.ts';
import type { Visit } from '../../contract/visitor.ts';
import { calls } from '../api/calls.ts';
import { localKeeper } from '../storage.ts';
import { createStore } from '../store.ts';
import { hearLoader, tellLoader, type Place } from './place.ts';

/** A token this close to its end is renewed before it is used. */
const RENEW_BEFORE_MS = 60_000;

type VisitState =
  | { status: 'entering' }
  | { status: 'refused'; code: ErrorCode }
  | { status: 'here'; visit: Visit };

/** What may be over soon. */
const PASSING: readonly ErrorCode[] = ['server/unavailable', 'server/error', 'request/rate-limited'];

/**
 * Who visits. The loader makes the visits of its site, so that the server hears from the browser which site that is; without
 * one this page makes its own, which a restricted agent refuses.
 */
export function createVisits({ agentId, site }: Place) {
  const state = createStore<VisitState>({ status: 'entering' });
  const key = `parley.visitor.${agentId}.${site ?? location.origin}`;
  let waiting: (() => void)[] = [];
  /** This page has asked. The site asks by itself when it says that somebody else visits. */
  let isAsked = false;

  const settle = (next: VisitState) => {
    if (next.status === 'here' && next.visit.refreshToken !== null)
      localKeeper.set(key, next.visit.refreshToken);
    // A visit that can't be renewed for now goes on as long as it may: what is on the page stays, and what is typed there. That of
    // somebody else does not.
    const isPassing = isAsked && next.status === 'refused' && PASSING.includes(next.code);
    isAsked = false;
    if (!isPassing || state.get().status !== 'here') state.set(next);
    for (const go of waiting.splice(0)) go();
  };

  const enter = () => {
    isAsked = true;
    const refreshToken = localKeeper.get(key);
    if (site !== null) return tellLoader(site, { type: 'enter', refreshToken });
    void visitor.authenticate({ chatbotId: agentId, ...(refreshToken !== null && { refreshToken }) }).then(
      (visit) => settle({ status: 'here', visit }),
      (error: unknown) => settle({ status: 'refused', code: codeOf(error) }),
    );
  };

  hearLoader(site, (message) => {
    if (message.type === 'visit') settle({ status: 'here', visit: message.visit });
    if (message.type === 'refused') settle({ status: 'refused', code: message.code });
  });

  return {
    state,
    enter,
    /** They are nobody any more; who comes next is somebody new. */
    forget: () => localKeeper.remove(key),
    /** For the next call, renewed when it is about to end; undefined when there is none to be had. */
    async token(): Promise<string | undefined> {
      const now = state.get();
      if (now.status === 'here' && Date.parse(now.visit.expiresAt) - Date.now() > RENEW_BEFORE_MS)
        return now.visit.token;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 1) enter();
      });
      const then = state.get();
      return then.status === 'here' ? then.visit.token : undefined;
    },
  };
}

export type Visits = ReturnType<typeof createVisits>;

/** Without cookies: who is signed in at our own site is nobody in a frame on another one. */
export const withoutCookies: typeof fetch = (input, init) => fetch(input, { ...init, credentials: 'omit' });

const { visitor } = createClient<Pick<ParleyContract, 'visitor'>>(
  { visitor: calls.visitor },
  { baseUrl: '', fetch: withoutCookies },
);

export function codeOf(error: unknown): ErrorCode {
  return error instanceof ApiError ? error.code : 'server/error';
}
