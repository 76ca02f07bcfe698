import {
  TOOL_CALL_TIMEOUT_MS,
  TOOL_MCP_FUNCTIONS_MAX,
  TOOL_RESULT_MAX_CHARACTERS,
} from '../../../../contract/limits.ts';
import { AppError } from '../../../app-error.ts';
import type { Deps } from '../../../deps.ts';
import { masked, spellingsOf } from '../call/authenticate.ts';
import {
  isWithoutAccount,
  refusalOf,
  shownOf,
  type CallOutcome,
  type ToolCall,
  type ToolCaller,
} from '../call/caller.ts';
import { checkArguments, isObject } from '../call/check-arguments.ts';
import type { Proofs } from '../call/proofs.ts';
import type { StoredTool } from '../store.ts';
import { ListedPage, mcpOffer, type McpOffer } from './functions.ts';
import { inProvenSession } from './proven-session.ts';
import { tookTooLong, type Session } from './session.ts';

export interface Mcp {
  /**
   * What the server offers, to this person if each has their own account. Errors: `egress/failed`,
   * `egress/url-not-allowed`, `tool/secret-needed`, `tool/account-needed`.
   */
  offered: (
    tool: StoredTool,
    asked: { userId: string | undefined; signal: AbortSignal },
  ) => Promise<McpOffer>;
  call: ToolCaller;
}

/** Tools of MCP servers over Streamable HTTP. */
export function createMcp(deps: Pick<Deps, 'services' | 'log'> & { proofs: Proofs }): Mcp {
  const { log } = deps;

  const call: ToolCaller = async ({ tool, operation, arguments: given, idempotencyKey, userId, signal }) => {
    const started = performance.now();
    let request: CallOutcome['request'] = null;
    const end = (state: CallOutcome['state'], text: string) => ({ ...endOf(started, state, text), request });
    try {
      checkArguments(operation.inputSchema, given);
      const { result, proven } = await inProvenSession(
        deps,
        { tool, userId, signal },
        ({ client, options }) => {
          request = requestOf(tool, operation.id, given);
          const _meta = idempotencyKey === undefined ? {} : { _meta: { idempotencyKey } };
          return client
            .callTool({ name: operation.id, arguments: given, ..._meta }, undefined, options)
            .catch((error: unknown) => refusalByServer(error, options.signal));
        },
      );
      const text = masked(textOf(result), spellingsOf(proven.secrets, proven.proof));
      return end(result['isError'] === true ? 'failed' : 'done', text);
    } catch (error) {
      signal.throwIfAborted();
      const refusal = refusalOf(error);
      if (refusal !== undefined) return { ...end('refused', refusal), needsAccount: isWithoutAccount(error) };
      const reason = error instanceof AppError ? error.message : 'The server could not be called.';
      log.info({ toolId: tool.id, operation: operation.id, reason }, 'a tool could not be called');
      return end('failed', reason);
    }
  };

  return {
    call,
    offered: async (tool, { userId, signal }) => {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(TOOL_CALL_TIMEOUT_MS)]);
      try {
        const { result } = await inProvenSession(deps, { tool, userId, signal: limit }, listedBy);
        return await mcpOffer(result.listed, result.isCut);
      } catch (error) {
        // The overall time limit can expire before that of a single session.
        throw limit.aborted && !signal.aborted ? tookTooLong() : error;
      }
    },
  };
}

/** The start of a server's list, page by page, and whether there is more. */
async function listedBy({ client, options }: Session): Promise<{ listed: unknown[]; isCut: boolean }> {
  const listed: unknown[] = [];
  let cursor: string | undefined;
  do {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request({ method: 'tools/list', params }, ListedPage, options);
    listed.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined && listed.length < TOOL_MCP_FUNCTIONS_MAX);
  const isCut = cursor !== undefined || listed.length > TOOL_MCP_FUNCTIONS_MAX;
  return { listed: listed.slice(0, TOOL_MCP_FUNCTIONS_MAX), isCut };
}

/** What the library says itself, with codes that servers use as well. */
const notSaid =
  /^MCP error -3200[01]: (Connection closed|Request was cancelled|Request timed out|Maximum total timeout exceeded)$/;

/** A protocol-level error from the server (an unknown function, say) is an answer; any other error is rethrown. */
function refusalByServer(error: unknown, within: AbortSignal): Record<string, unknown> {
  const { name, message } = error as Error;
  if (name !== 'McpError' || within.aborted || notSaid.test(message)) throw error;
  return { isError: true, content: [{ type: 'text', text: message }] };
}

function endOf(started: number, state: CallOutcome['state'], text: string) {
  return { state, status: null, text, durationMs: Math.round(performance.now() - started) };
}

/** The request without its protocol envelope, with secrets masked. */
function requestOf(
  { serverUrl, authentication }: StoredTool,
  name: string,
  given: ToolCall['arguments'],
): CallOutcome['request'] {
  if (serverUrl === null) return null;
  const body = JSON.stringify({ method: 'tools/call', params: { name, arguments: given } });
  return shownOf({ method: 'POST', url: new URL(serverUrl), headers: {}, body }, { authentication });
}

/** The parts of an answer a model can read. */
function textOf({ content, structuredContent }: Record<string, unknown>): string {
  const parts = Array.isArray(content) ? content : [];
  const texts = parts.map((part: unknown) => (isObject(part) ? partText(part) : ''));
  const text =
    texts.filter(Boolean).join('\n') || (structuredContent ? JSON.stringify(structuredContent) : '');
  const cut = text.length > TOOL_RESULT_MAX_CHARACTERS;
  const clean = text.slice(0, TOOL_RESULT_MAX_CHARACTERS).replaceAll('\u0000', '').toWellFormed();
  return cut ? `${clean}\n(The rest was cut off.)` : clean;
}

function partText({ type, text, resource, ...link }: Record<string, unknown>): string {
  if (type === 'text' && typeof text === 'string') return text;
  if (type === 'resource_link') return linkText(link);
  const inside = isObject(resource) ? resource['text'] : undefined;
  if (type === 'resource' && typeof inside === 'string') return inside;
  return `(A part of the kind ${String(type).slice(0, 50)}, which is no text.)`;
}

/** A link that is not fetched, so that the model can mention it or request it with another function. */
function linkText({ uri, name, title, description }: Record<string, unknown>): string {
  const words = typeof description === 'string' && description !== '' ? `: ${description}` : '';
  return `${String(title ?? name)} (${String(uri)})${words}`;
}
