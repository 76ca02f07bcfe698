import type * as z from 'zod';
import type { tool as contract } from '../../../contract/tool.ts';
import { TOOL_FUNCTIONS_PER_AGENT_MAX } from '../../../contract/limits.ts';
import { AppError, invalidField } from '../../app-error.ts';
import type { Tx } from '../../db/scope.ts';
import type { Vault } from '../../identity/secrets.ts';
import type { ReadOperation } from './openapi/operations.ts';
import type { readDocument } from './openapi/read-document.ts';
import { normalAddress, requireAddress, secretAfter, usualPolicy } from './settings.ts';
import * as store from './store.ts';

export type ToolSettings = Omit<z.output<(typeof contract)['update']['input']>, 'id'>;
export type ReadDocument = Awaited<ReturnType<typeof readDocument>>;

/** Takes what was given of a locked tool. Errors: 400 for what cannot be, `tool/secret-needed`. */
export async function saveTool(
  tx: Tx,
  vault: Vault,
  before: store.StoredTool,
  settings: ToolSettings,
  document: ReadDocument | undefined,
): Promise<store.StoredTool> {
  const { name, status, serverUrl, authentication, hosts, secret } = settings;
  if (serverUrl !== undefined) requireAddress('serverUrl', serverUrl);
  const after = {
    serverUrl: serverUrl === undefined ? serverOf(before, document) : normalAddress(serverUrl),
    authentication: authentication ?? before.authentication,
  };
  const seal = (text: string) => vault.encrypt(text, before.id);
  const saved = await store.updateTool(tx, before, {
    ...after,
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
    ...(hosts === undefined ? {} : { hosts }),
    ...(document ? { servers: document.servers, documentUrl: document.url } : {}),
    secret: secretAfter(before, after, secret, seal),
  });
  if (document) await replaceOperations(tx, saved, document.operations);
  await chooseOperations(tx, saved, settings.operations ?? []);
  return saved;
}

/** Where a document says that its service is, nobody has to; who has chosen a place stays there. */
function serverOf({ serverUrl }: store.StoredTool, document: ReadDocument | undefined): string | null {
  const [first] = document?.servers ?? [];
  return serverUrl ?? (first === undefined ? null : normalAddress(first));
}

/** What was chosen of an operation that still does the same stays. */
export async function replaceOperations(
  tx: Tx,
  tool: store.StoredTool,
  operations: ReadOperation[],
): Promise<void> {
  const before = new Map((await store.listOperations(tx, tool)).map((known) => [known.id, known]));
  const rows = operations.map((operation) => {
    const known = before.get(operation.id);
    const isSame = known?.method === operation.method && known.path === operation.path;
    const chosen = isSame
      ? { enabled: known.enabled, policy: known.policy }
      : { enabled: false, policy: usualPolicy(operation.method) };
    return { ...operation, ...chosen };
  });
  await store.replaceOperations(tx, tool, rows);
}

async function chooseOperations(
  tx: Tx,
  tool: store.StoredTool,
  choices: NonNullable<ToolSettings['operations']>,
): Promise<void> {
  const known = await store.knownOperations(
    tx,
    tool,
    choices.map(({ id }) => id),
  );
  const unknown = choices.findIndex(({ id }) => !known.has(id));
  if (unknown >= 0) throw invalidField(`operations.${unknown}.id`, 'The tool has no such operation.');
  await store.chooseOperations(tx, tool, choices);
  const { functions } = await store.countTools(tx, tool.organizationId, tool.agentId);
  if (functions > TOOL_FUNCTIONS_PER_AGENT_MAX)
    throw new AppError(
      'resource/conflict',
      `An agent is told of at most ${TOOL_FUNCTIONS_PER_AGENT_MAX} operations of its tools.`,
    );
}
