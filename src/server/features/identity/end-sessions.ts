import type { Deps } from '../../deps.ts';

type Context = Pick<Deps, 'identity' | 'realtime'>;

/** Nobody is signed in by these any more, and their sockets are closed. */
export function forgetSessions({ identity, realtime }: Context, sessionIds: string[]): void {
  identity.forget(sessionIds);
  for (const id of sessionIds) realtime.disconnectSession(id);
}

/** All that a person has, wherever they are signed in; how many there were. */
export async function endSessions(deps: Context, userId: string): Promise<number> {
  const ended = await deps.identity.endAll(userId);
  forgetSessions(deps, ended);
  return ended.length;
}
