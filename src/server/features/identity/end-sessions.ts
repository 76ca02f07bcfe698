import type { Deps } from '../../deps.ts';

type Context = Pick<Deps, 'identity' | 'realtime'>;

/** These sessions are no longer signed in, and their sockets are closed. */
export function forgetSessions({ identity, realtime }: Context, sessionIds: string[]): void {
  identity.forget(sessionIds);
  for (const id of sessionIds) realtime.disconnectSession(id);
}

/** Ends all of a person's sessions everywhere; returns how many there were. */
export async function endSessions(deps: Context, userId: string): Promise<number> {
  const ended = await deps.identity.endAll(userId);
  forgetSessions(deps, ended);
  return ended.length;
}
