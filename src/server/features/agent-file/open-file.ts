import type { Readable } from 'node:stream';
import type { Agent } from '../../access/gate.ts';
import { notFound } from '../../app-error.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { findAgent } from '../chatbot/store.ts';
import { makeFolder } from '../../folders/work-folder.ts';
import { fileOf, writeLists, type WrittenAgent } from './write-file.ts';

interface OpenFile {
  handle: string;
  /** Generated as it is read; temporary resources are released with the reader. */
  bytes: Readable;
}

type Written = { handle: string; written: WrittenAgent };

/** An agent as a file; `read` finds the agent, within the transaction that reads it. */
export async function openFile(
  deps: Pick<Deps, 'storage'>,
  read: (write: (tx: Tx, agent: Agent) => Promise<Written>) => Promise<Written>,
): Promise<OpenFile> {
  const folder = await makeFolder();
  try {
    const { handle, written } = await read(async (tx, agent) => ({
      handle: agent.handle,
      written: await writeLists(tx, agent, folder),
    }));
    const bytes = fileOf(written, deps);
    bytes.once('close', () => void folder.remove());
    return { handle, bytes };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/** Agents as files, for callers with access to an entire organization. */
export function agentFilesIn(deps: Pick<Deps, 'db' | 'storage'>) {
  return (organizationId: string, agentId: string): Promise<OpenFile> =>
    openFile(deps, (write) =>
      deps.db.in({ organizationId }, async (tx) => {
        const agent = await findAgent(tx, organizationId, agentId, undefined);
        if (!agent) throw notFound();
        return write(tx, agent);
      }),
    );
}
