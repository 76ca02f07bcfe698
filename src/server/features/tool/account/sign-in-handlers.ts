import type { toolSignIn as contract } from '../../../../contract/tool.ts';
import { AppError, invalidField } from '../../../app-error.ts';
import type { Handlers, MemberCaller } from '../../../call.ts';
import type { Tx } from '../../../db/scope.ts';
import type { Deps } from '../../../deps.ts';
import type { Vault } from '../../../identity/secrets.ts';
import { recordAudit } from '../../audit/store.ts';
import { auditedChange, inToolOf, personOf, whole } from '../in-tool.ts';
import type { Mcp } from '../mcp/mcp.ts';
import type { FoundSignIn } from '../mcp/sign-in.ts';
import { replaceOperations, saveTool } from '../save.ts';
import { normalAddress, requireAddress } from '../settings.ts';
import { updateTool, type StoredTool } from '../store.ts';
import type { Logins } from './logins.ts';

type All = Handlers<typeof contract>;

interface Given {
  mcp: Pick<Mcp, 'offered'>;
  logins: Logins;
}

/** What the member who sets up a tool does when people sign in with their own accounts. */
export function toolSignInHandlers(deps: Deps, given: Given): All {
  return { ...finding(deps), ...connecting(deps, given) };
}

function finding({ db, vault, services }: Deps): Pick<All, 'find'> {
  const inTool = inToolOf(db);
  return {
    find: async ({ id, serverUrl, clientId, secret }, caller, context) => {
      const now = await inTool(caller, id, 'agent.write', async (_tx, tool) => tool);
      if (now.kind !== 'mcp')
        throw invalidField('id', 'Sign-in settings can be detected only for MCP servers.');
      requireAddress('serverUrl', serverUrl);
      const isKnown = now.authentication.type === 'authorizationCode';
      const client =
        clientId === undefined ? undefined : { clientId, secret: secret ?? (isKnown ? undefined : null) };
      const { origin, signal } = context;
      const { findSignIn } = await import('../mcp/sign-in.ts');
      const found = await findSignIn(services, { serverUrl, client, redirectUri: returnTo(origin), signal });
      return inTool(caller, id, 'agent.write', async (tx, before) => {
        const after = await saveFound(tx, vault, before, { serverUrl, ...found });
        await recordAudit(tx, caller, context, {
          organizationId: before.organizationId,
          action: 'tool.update',
          target: after,
          ...auditedChange(before, after),
        });
        return whole(tx, after);
      });
    },
  };
}

function connecting({ db }: Deps, { mcp, logins }: Given): Pick<All, 'connect' | 'connected'> {
  const inTool = inToolOf(db);
  return {
    connect: async ({ id }, caller, { origin }) => {
      return inTool(caller, id, 'agent.write', async (tx, tool) => {
        const userId = requirePerson(caller);
        const { organizationId } = tool;
        if (await logins.has(tx, { organizationId, toolId: id, userId })) return { url: null };
        return { url: await logins.begin(tx, tool, { callId: null, userId }, returnTo(origin)) };
      });
    },

    connected: async ({ id, state, code }, caller, { origin, signal }) => {
      // In its own transaction: a failed login stays used.
      const { tool, userId, codeVerifier } = await inTool(caller, id, 'agent.write', async (tx, found) => {
        const key = { callId: null, userId: requirePerson(caller) };
        return { ...key, tool: found, codeVerifier: await logins.take(tx, found, key, state) };
      });
      const redirectUri = returnTo(origin);
      const account = await logins.exchange(tool, { code, codeVerifier, redirectUri });
      await inTool(caller, id, 'agent.write', (tx, now) => logins.keep(tx, now, userId, account));
      const offered = tool.kind === 'mcp' ? await mcp.offered(tool, { userId, signal }) : undefined;
      return inTool(caller, id, 'agent.write', async (tx, now) => {
        if (!offered || now.serverUrl !== tool.serverUrl) return whole(tx, now);
        await replaceOperations(tx, now, offered.operations);
        const { leftOut, cutAfter } = offered;
        return whole(tx, await updateTool(tx, now, { leftOut, cutAfter }));
      });
    },
  };
}

/** What another server offered says nothing about this one. */
async function saveFound(
  tx: Tx,
  vault: Vault,
  before: StoredTool,
  found: FoundSignIn & { serverUrl: string },
): Promise<StoredTool> {
  const isOther = before.serverUrl !== normalAddress(found.serverUrl);
  const offered = isOther ? { operations: [], servers: [], url: null } : undefined;
  return saveTool(tx, vault, before, found, offered);
}

/** The page that services send people back to. */
function returnTo(origin: string): string {
  return `${origin}/connected`;
}

function requirePerson(caller: MemberCaller): string {
  const userId = personOf(caller);
  if (userId === undefined) throw new AppError('tool/account-needed', 'Only a person can have an account.');
  return userId;
}
