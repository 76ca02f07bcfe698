import { MutationCache, QueryCache, QueryClient, type Query } from '@tanstack/react-query';
import { ApiError, GATEWAY_STATUSES } from '../../contract/client.ts';
import type { Failure } from '../api/failures.ts';
import { logFailure, reportError } from '../log.ts';
import { t } from '../messages/t.ts';
import { online } from '../online.ts';
import { sessionState } from '../session/session.ts';
import { toast } from '../toast.ts';

interface CallMeta extends Record<string, unknown> {
  /** Which of the catalog's messages to show in the console. */
  failure?: Failure;
  /** True if the screen itself shows the failure: no toast. */
  quiet?: boolean;
  /** True if it can be repeated unchanged: the toast offers that when the server was unreachable. */
  again?: boolean;
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: CallMeta;
    mutationMeta: CallMeta;
  }
}

/** Reports a failed call to the console and, unless the call is quiet, to the person. */
export function announceFailure(error: unknown, meta: CallMeta = {}, again?: () => void): void {
  if (meta.failure) logFailure(meta.failure, error);
  reportError(error);
  if (meta.quiet) return;
  const action = again && isUnreached(error) ? { text: t('ui.retry'), run: again } : undefined;
  toast.error({ title: t('error.title'), message: describeError(error), ...(action && { action }) });
}

function isUnreached(error: unknown): boolean {
  return error instanceof ApiError && [0, ...GATEWAY_STATUSES].includes(error.status);
}

/** The text a person reads about a failure. */
export function describeError(error: unknown): string {
  if (!(error instanceof ApiError)) return t('error.unknown');
  // The server's message is about tokens, for programs.
  return error.status === 401 ? t('session.needed') : error.message;
}

/** Requests still in progress when the person was signed out: that is said once, not for each of them. */
function isOver(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && sessionState.get().status === 'signed-out';
}

/** Whether the screen shows it. When loading more of a list fails, it doesn't: it keeps showing what is there. */
function isQuiet(error: unknown, { meta, state }: Pick<Query<unknown, unknown>, 'meta' | 'state'>): boolean {
  return isOver(error) || (meta?.quiet === true && !state.fetchMeta?.fetchMore);
}

function isWorthRetrying(failureCount: number, error: unknown): boolean {
  const temporary = error instanceof ApiError && (error.status === 0 || error.status >= 500);
  return temporary && failureCount < 1;
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => announceFailure(error, { ...query.meta, quiet: isQuiet(error, query) }),
  }),
  mutationCache: new MutationCache({
    onError: (error, variables, _result, mutation) => {
      const again = () => void mutation.execute(variables).catch(() => undefined);
      announceFailure(error, mutation.meta, mutation.meta?.again ? again : undefined);
    },
  }),
  defaultOptions: {
    queries: { retry: isWorthRetrying, staleTime: 10_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

// Failed queries on the page are reloaded when the server is back.
online.subscribe(() => {
  if (!online.get()) return;
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => isUnreached(state.error) });
});
