import { AppError } from '../../../app-error.ts';
import type { Deps } from '../../../deps.ts';
import type { Proofs, Proven } from '../call/proofs.ts';
import type { StoredTool } from '../store.ts';
import { inSession, NotLetIn, type Session } from './session.ts';

/** For whom a server is asked. */
interface Asked {
  tool: StoredTool;
  userId: string | undefined;
  signal: AbortSignal;
}

/**
 * Runs work in a session with a tool's server. A server that denies access has done nothing, and is asked again with
 * another proof, if there is one. Errors: those of `inSession` and of getting a proof.
 */
export async function inProvenSession<T>(
  { services, proofs }: Pick<Deps, 'services'> & { proofs: Proofs },
  { tool, userId, signal }: Asked,
  work: (session: Session) => Promise<T>,
): Promise<{ result: T; proven: Proven }> {
  const tryWith = async (proven: Proven) => {
    const result = await inSession(services, addressOf(tool), { proof: proven.proof, signal }, work);
    return { result, proven };
  };
  const first = await proofs.of(tool, userId);
  try {
    return await tryWith(first);
  } catch (error) {
    const another = error instanceof NotLetIn ? await proofs.another(tool, userId, first.proof) : undefined;
    if (!another) throw error;
    return tryWith(another);
  }
}

function addressOf({ serverUrl }: StoredTool): string {
  if (serverUrl === null) throw new AppError('egress/failed', 'This server has no address yet.');
  return serverUrl;
}
