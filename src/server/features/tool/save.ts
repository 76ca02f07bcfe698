import type * as z from 'zod';
import type { Authentication, tool as contract } from '../../../contract/tool.ts';
import { TOOL_FUNCTIONS_PER_AGENT_MAX } from '../../../contract/limits.ts';
import { AppError, invalidField } from '../../app-error.ts';
import type { Tx } from '../../db/scope.ts';
import type { Vault } from '../../identity/secrets.ts';
import type { ReadOperation } from './openapi/operations.ts';
import { deleteAccountsOf } from './account/store.ts';
import { isSamePlace, normalAddress, requireAddress, secretAfter, usualPolicy } from './settings.ts';
import * as store from './store.ts';

export type ToolSettings = Omit<z.output<(typeof contract)['update']['input']>, 'id' | 'secret' | 'seen'> & {
  /** Null: removes the secret. */
  secret?: string | null | undefined;
};

/** What the other side says it can do. */
export interface Offered {
  operations: ReadOperation[];
  servers: string[];
  /** The authentication a document requires. */
  authentication?: Authentication;
  /** Names of listed functions that nobody can call. */
  leftOut?: string[];
  /** The last one read when there are more than the limit. */
  cutAfter?: string | null;
  /** The document's address. */
  url: string | null;
}

/** The tool as it will be, for asking its server before saving. Errors: 400 for invalid settings, `tool/secret-needed`. */
export function changedTool(
  vault: Vault,
  before: store.StoredTool,
  { serverUrl, authentication, secret }: ToolSettings,
  offered?: Pick<Offered, 'servers' | 'authentication'>,
): store.StoredTool {
  if (serverUrl !== undefined) requireAddress('serverUrl', serverUrl);
  const after = {
    serverUrl: serverUrl === undefined ? serverOf(before, offered?.servers ?? []) : normalAddress(serverUrl),
    authentication: authentication ?? authenticationOf(before, offered?.authentication),
  };
  const seal = (text: string) => vault.encrypt(text, before.id);
  return { ...before, ...after, secret: secretAfter(before, after, secret, seal) };
}

/** Saves the given settings of a locked tool. Errors: those of `changedTool`. */
export async function saveTool(
  tx: Tx,
  vault: Vault,
  before: store.StoredTool,
  settings: ToolSettings,
  offered: Offered | undefined,
): Promise<store.StoredTool> {
  const { name, status, hosts, form } = settings;
  const { serverUrl, authentication, secret } = changedTool(vault, before, settings, offered);
  const saved = await store.updateTool(tx, before, {
    serverUrl,
    authentication,
    secret,
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
    ...(hosts === undefined ? {} : { hosts }),
    ...(form === undefined ? {} : { form }),
    ...(offered
      ? {
          servers: offered.servers,
          leftOut: offered.leftOut ?? [],
          cutAfter: offered.cutAfter ?? null,
          documentUrl: offered.url,
          hasDocument: before.kind === 'openapi',
        }
      : {}),
  });
  if (!isSamePlace(before, saved)) await deleteAccountsOf(tx, saved);
  if (offered) await replaceOperations(tx, saved, offered.operations);
  await chooseOperations(tx, saved, settings.operations ?? []);
  return saved;
}

/** If a document names its server, nobody has to; a server that was chosen stays. */
function serverOf({ serverUrl }: store.StoredTool, [first]: string[]): string | null {
  return serverUrl ?? (first === undefined ? null : normalAddress(first));
}

/** The first document sets the authentication if nobody has yet; the secret itself is still to be given. */
function authenticationOf(
  { authentication, hasDocument }: store.StoredTool,
  asked: Authentication | undefined,
): Authentication {
  return !hasDocument && authentication.type === 'none' && asked ? asked : authentication;
}

/** Keeps the settings of operations that still do the same. */
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
      ? { enabled: known.enabled, policy: known.policy, fixture: known.fixture }
      : { enabled: false, policy: usualPolicy(operation.method), fixture: null };
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
  for (const [index, { id, fixture }] of choices.entries())
    if (fixture !== undefined && !(await store.setFixture(tx, tool, id, fixture)))
      throw invalidField(`operations.${index}.fixture`, 'The operation has no such completed call.');
  const { functions } = await store.countTools(tx, tool.organizationId, tool.agentId);
  if (functions > TOOL_FUNCTIONS_PER_AGENT_MAX)
    throw new AppError(
      'resource/conflict',
      `An agent can use at most ${TOOL_FUNCTIONS_PER_AGENT_MAX} operations of its tools.`,
    );
}
