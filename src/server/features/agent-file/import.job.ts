import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Countable } from '../../../contract/plans.ts';
import { beginnerOf, requireGoingOn, type Begun } from '../../access/begun.ts';
import { inOrganization } from '../../access/gate.ts';
import { requireKept } from '../../access/quota.ts';
import { AppError, notFound } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import type { JobData } from '../../jobs/jobs.ts';
import { recordAudit } from '../audit/store.ts';
import { findAgent } from '../chatbot/store.ts';
import { joinTeamsOf } from '../team/store.ts';
import { AgentFileError, openArchive, type Archive } from './archive.ts';
import { checkFile, type CheckedFile } from './check-file.ts';
import { deleteUpload } from './import-store.ts';
import { makeFolder, type Folder } from '../../folders/work-folder.ts';
import * as store from './store.ts';
import type { StoredImport } from './store.ts';
import { storeBytes, type FileRules, type StoredBytes } from './store-bytes.ts';
import { writeAgent, type RestoreTools } from './write-agent.ts';
import { fileOf, writeLists } from './write-file.ts';

const GIVEN_UP = 'Something went wrong on our side. Try again.';

/** Rules for everything that is imported. */
interface ImportRules extends FileRules {
  restoreTools: RestoreTools;
}

/**
 * Creates an agent from a file or another agent. All of it appears in one transaction, at the end; earlier writes to
 * storage are recorded beforehand, so that a kill at any moment leaves nothing that the next run, or the end, doesn't
 * remove. A faulty file ends the import with the reason.
 */
export function importAgent(deps: Deps, rules: ImportRules) {
  return async (
    { organizationId, importId }: JobData['agent.import'],
    signal: AbortSignal,
  ): Promise<void> => {
    const found = await takeUp(deps, { id: importId, organizationId });
    if (!found) return;
    const folder = await makeFolder();
    try {
      await deps.db.in({ organizationId }, (tx) => requireGoingOn(tx, begunOf(found)));
      const file = await obtain(deps, found, folder, signal);
      const archive = await openArchive(file);
      try {
        await takeIn(deps, found, { archive, rules, signal });
      } finally {
        archive.close();
      }
    } catch (error) {
      signal.throwIfAborted();
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      await fail(deps, found, reason);
    } finally {
      await folder.remove();
    }
  };
}

/** Runs when all attempts have failed. */
export function giveUpImport(deps: Deps) {
  return async ({ organizationId, importId }: JobData['agent.import']): Promise<void> => {
    const key = { id: importId, organizationId };
    const found = await deps.db.in({ organizationId }, (tx) => store.findImport(tx, key));
    if (found && found.state !== 'ready') await fail(deps, found, GIVEN_UP);
  };
}

/** Undefined if it has already ended. Removes what an earlier run wrote. */
async function takeUp({ db }: Deps, key: store.ImportKey): Promise<StoredImport | undefined> {
  return db.in({ organizationId: key.organizationId }, async (tx) => {
    const found = await store.findImport(tx, key);
    if (!found || found.state === 'ready' || found.state === 'failed') return undefined;
    await store.updateImport(tx, key, { state: 'reading', done: 0, total: 0, storageKeys: [] });
    return found;
  });
}

async function fail(
  { db }: Deps,
  { organizationId, id, uploadId }: StoredImport,
  error: string,
): Promise<void> {
  await db.in({ organizationId }, async (tx) => {
    await store.updateImport(tx, { id, organizationId }, { state: 'failed', error, storageKeys: [] });
    if (uploadId !== null) await deleteUpload(tx, organizationId, uploadId);
  });
}

/** The message; undefined if it isn't the fault of the file or its provider. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof AgentFileError) return error.message;
  return error instanceof AppError && error.status < 500 ? error.message : undefined;
}

/** Puts the file into the folder. */
async function obtain(deps: Deps, found: StoredImport, folder: Folder, signal: AbortSignal): Promise<string> {
  const file = folder.at('agent.zip');
  const bytes =
    found.fromAgentId === null ? await uploaded(deps, found) : await exported(deps, found, folder);
  await pipeline(bytes, createWriteStream(file, { flags: 'wx', mode: 0o600 }), { signal });
  return file;
}

async function uploaded({ db, storage }: Deps, { organizationId, uploadId }: StoredImport) {
  const id = uploadId ?? '';
  const upload = await db.in({ organizationId }, (tx) => store.findUpload(tx, organizationId, id));
  if (!upload) throw notFound();
  return storage.drafts.stream(id, upload.sizeBytes);
}

async function exported(deps: Deps, found: StoredImport, folder: Folder) {
  const { organizationId, fromAgentId } = found;
  const written = await inOrganization(
    deps.db,
    beginnerOf(begunOf(found)),
    organizationId,
    'agent.write',
    async (tx, { agents }) => {
      const agent = await findAgent(tx, organizationId, fromAgentId ?? '', agents);
      if (!agent) throw notFound();
      return writeLists(tx, agent, folder);
    },
  );
  return fileOf(written, deps);
}

async function takeIn(
  deps: Deps,
  found: StoredImport,
  { archive, rules, signal }: { archive: Archive; rules: ImportRules; signal: AbortSignal },
): Promise<void> {
  const { organizationId, uploadId, fromAgentId } = found;
  const checked = await checkFile(archive);
  await deps.db.in({ organizationId }, (tx) => store.updateImport(tx, found, { total: checked.passages }));
  const stored = await storeBytes(deps, found, { archive, checked, rules, signal });
  const progress = (done: number) =>
    deps.db.in({ organizationId }, (tx) => store.updateImport(tx, found, { done }));
  const caller = beginnerOf(begunOf(found));
  await inOrganization(deps.db, caller, organizationId, 'agent.write', async (tx) => {
    const agent = await writeAgent(tx, deps, found, {
      archive,
      checked,
      stored,
      restoreTools: rules.restoreTools,
      progress,
      signal,
    });
    if (fromAgentId !== null) await joinTeamsOf(tx, { organizationId, fromAgentId, agentId: agent.id });
    await recordAudit(tx, caller, found, {
      organizationId,
      action: fromAgentId === null ? 'agentFile.import' : 'agentFile.duplicate',
      target: agent,
      after: { name: agent.name, ...(fromAgentId === null ? {} : { of: fromAgentId }) },
    });
    await requireGoingOn(tx, begunOf(found));
    await store.finishImport(tx, found, {
      storageKeys: stored.keys,
      done: checked.passages,
      madeAgentId: agent.id,
    });
    if (uploadId !== null) await deleteUpload(tx, organizationId, uploadId);
    await requireKept(tx, deps.config, organizationId, broughtBy(checked, stored));
  });
}

/** Which counts increase because of it. */
function broughtBy({ sources }: CheckedFile, { files }: StoredBytes): Countable[] {
  return [
    'agents',
    ...(sources.length > 0 ? (['knowledgeBytes'] as const) : []),
    ...(files.size > 0 ? (['storedBytes'] as const) : []),
  ];
}

function begunOf({ createdBy, organizationId }: StoredImport): Begun {
  return { organizationId, by: createdBy, permission: 'agent.write' };
}
