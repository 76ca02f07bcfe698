import { TOOL_CALL_TIMEOUT_MS } from '../../../../contract/limits.ts';
import { AppError } from '../../../app-error.ts';
import type { Deps } from '../../../deps.ts';
import type { StoredOperation, StoredTool } from '../store.ts';
import { authenticated, MASK, masked, spellingsOf, type Proof } from './authenticate.ts';
import { ArgumentError, checkArguments, type Arguments } from './check-arguments.ts';
import type { Proofs } from './proofs.ts';
import { readAnswer, type ServiceAnswer } from './read-answer.ts';
import { requestOf, type ServiceRequest } from './request.ts';

export interface ToolCall {
  tool: StoredTool;
  operation: StoredOperation;
  arguments: Arguments;
  /** Lets the service recognize a repeated call; omitted for read-only calls. */
  idempotencyKey?: string | undefined;
  /** Whose account is used, if each person has their own; undefined: nobody's. */
  userId?: string | undefined;
  /** The conversation of the call; undefined for a member's trial. */
  conversationId?: string | undefined;
  signal: AbortSignal;
}

/** The outcome of a call; secrets are masked throughout. */
export interface CallOutcome {
  /** `refused`: nothing was sent. `failed`: the service could not be reached or returned an error. */
  state: 'done' | 'failed' | 'refused';
  status: number | null;
  /** The service's response, or else why there is none. */
  text: string;
  durationMs: number;
  /** `refused` because the person's account is missing, and they can connect it: the service no longer knows the previous one. */
  needsAccount?: boolean;
  /** Null if no request could be built. */
  request: { method: string; url: string; headers: Record<string, string>; body: string | null } | null;
}

export type ToolCaller = (call: ToolCall) => Promise<CallOutcome>;

/** Calls tool operations; never throws, except when the caller aborts. */
export function createToolCaller({
  services,
  log,
  proofs,
}: Pick<Deps, 'services' | 'log'> & { proofs: Proofs }): ToolCaller {
  return async (call) => {
    const started = performance.now();
    const { tool, operation, userId, signal } = call;
    let shown: CallOutcome['request'] = null;
    try {
      if (tool.serverUrl === null) throw new ArgumentError('This service has no address yet.');
      checkArguments(operation.inputSchema, call.arguments);
      const plain = withKey(requestOf(tool.serverUrl, operation, call.arguments), call.idempotencyKey);
      let { proof, secrets } = await proofs.of(tool, userId);
      shown = shownOf(plain, proof);
      let answer = await send(services, authenticated(plain, proof), signal);
      // The service denied access, so it has done nothing: a token may have expired early.
      const another = answer.status === 401 ? await proofs.another(tool, userId, proof) : undefined;
      if (another) {
        ({ proof, secrets } = another);
        answer = await send(services, authenticated(plain, proof), signal);
      }
      const text = masked(answer.text, spellingsOf(secrets, proof));
      const isGood = answer.status >= 200 && answer.status < 300;
      return outcome(
        isGood ? 'done' : 'failed',
        answer.status,
        isGood ? text : failureText(answer.status, text),
      );
    } catch (error) {
      signal.throwIfAborted();
      const refusal = refusalOf(error);
      if (refusal !== undefined)
        return { ...outcome('refused', null, refusal), needsAccount: isWithoutAccount(error) };
      const reason = error instanceof AppError ? error.message : 'The service could not be called.';
      log.info({ toolId: tool.id, operation: operation.id, reason }, 'a tool could not be called');
      return outcome('failed', null, reason);
    }

    function outcome(state: CallOutcome['state'], status: number | null, text: string): CallOutcome {
      return { state, status, text, durationMs: Math.round(performance.now() - started), request: shown };
    }
  };
}

/** Why nothing was done, in words for the model; undefined if something may have been. */
export function refusalOf(error: unknown): string | undefined {
  if (error instanceof ArgumentError) return error.message;
  return isWithoutAccount(error)
    ? 'The person’s account is not connected, or no longer connected.'
    : undefined;
}

export function isWithoutAccount(error: unknown): boolean {
  return error instanceof AppError && error.code === 'tool/account-needed';
}

async function send(
  services: Deps['services'],
  { method, url, headers, body }: ServiceRequest,
  signal: AbortSignal,
): Promise<ServiceAnswer> {
  const timeout = AbortSignal.timeout(TOOL_CALL_TIMEOUT_MS);
  const both = AbortSignal.any([signal, timeout]);
  try {
    return await readAnswer(await services(url, { method, headers, body, signal: both }));
  } catch (error) {
    if (timeout.aborted)
      throw new AppError('egress/failed', `The service took longer than ${TOOL_CALL_TIMEOUT_MS / 1000} s.`);
    throw error;
  }
}

function withKey(request: ServiceRequest, idempotencyKey: string | undefined): ServiceRequest {
  if (idempotencyKey === undefined) return request;
  return { ...request, headers: { ...request.headers, 'idempotency-key': idempotencyKey } };
}

/** As it is sent, with the proof masked. */
export function shownOf(
  plain: ServiceRequest,
  { authentication }: Pick<Proof, 'authentication'>,
): CallOutcome['request'] {
  const { method, url, headers, body } = authenticated(plain, { authentication, credential: MASK });
  const legible = (text: string): string => text.replaceAll(encodeURIComponent(MASK), MASK);
  const shown = { ...headers };
  if (authentication.type === 'basic') shown['authorization'] = `Basic ${MASK}`;
  if (shown['cookie'] !== undefined) shown['cookie'] = legible(shown['cookie']);
  return { method, url: legible(url.href), headers: shown, body };
}

function failureText(status: number, text: string): string {
  if (status >= 300 && status < 400)
    return `The service answered ${status}: a redirect, which is not followed.`;
  return `The service answered ${status}.${text === '' ? '' : `\n${text}`}`;
}
