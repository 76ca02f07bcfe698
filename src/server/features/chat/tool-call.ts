import { createHash } from 'node:crypto';
import type { MessageToolCall } from '../../../contract/chat.ts';
import { shortText } from '../../../contract/cut-text.ts';
import { TOOL_CONFIRMATION_HOURS } from '../../../contract/limits.ts';
import { signInHost, type OfferedOperation } from '../tool/store.ts';
import type { StoredCall } from './tool-call-store.ts';

const VALUES_MAX = 50;
const VALUE_MAX_CHARACTERS = 2000;

/** As the answer's reader sees it: what would be sent only while they are being asked, the response never. */
export function presentCall(call: StoredCall): MessageToolCall {
  const { id, toolName, summary } = call;
  const state = call.state === 'waiting' && isLate(call) ? 'expired' : call.state;
  const waitsFor = state === 'waiting' ? call.waitsFor : null;
  return {
    id,
    tool: toolName,
    summary,
    state,
    isRecorded: state === 'rehearsed' && call.result !== null,
    waitsFor,
    service: waitsFor === 'account' ? (signInHost(call.authentication) ?? null) : null,
    form: waitsFor === 'form' ? call.form : [],
    values: waitsFor === 'word' ? valuesOf(call.arguments) : [],
  };
}

/** It was requested too long ago to still be answered. */
export function isLate({ createdAt }: Pick<StoredCall, 'createdAt'>): boolean {
  return createdAt.getTime() < Date.now() - TOOL_CONFIRMATION_HOURS * 3_600_000;
}

/** The values in the simplest form: one line each, labeled with the path of names leading to it. */
function valuesOf(given: Record<string, unknown>, within: string[] = []): MessageToolCall['values'] {
  return Object.entries(given)
    .flatMap(([name, value]): MessageToolCall['values'] => {
      const names = name === 'body' && within.length === 0 ? [] : [...within, name];
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        return valuesOf(value as Record<string, unknown>, names);
      return [{ name: names.join(' › ') || name, value: plain(value) }];
    })
    .slice(0, VALUES_MAX);
}

function plain(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return shortText(text, VALUE_MAX_CHARACTERS);
}

/** Identical for requests that are the same to a service, whatever the order of their fields. */
export function onceKeyOf(toolId: string, operationId: string, given: Record<string, unknown>): string {
  return hash(JSON.stringify([toolId, operationId, sorted(given)]));
}

/**
 * The key under which a call is made only once in its conversation; null: it can repeat freely. Calls a server declares
 * read-only are made once per answer: the data may have changed since, and whether to ask the person isn't up to the
 * server.
 */
export function onceKeyIn(
  messageId: string,
  offered: Pick<OfferedOperation, 'method' | 'onlyReads'> | undefined,
  key: string,
): string | null {
  if (!offered) return key;
  if (onlyLooks(offered.method)) return null;
  return offered.onlyReads ? hash(`${messageId} ${key}`) : key;
}

/** Lets a service recognize a repeated call. Reveals nothing about the conversation. */
export function idempotencyKeyOf(conversationId: string, onceKey: string): string {
  return hash(`${conversationId} ${onceKey}`);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, child]) => [name, sorted(child)]),
  );
}

/** Read-only calls can be repeated. */
export function onlyLooks(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Of the built-in functions: those whose results contain nobody else's words, and those that send nothing to anyone. */
const ownWords = ['currentTime', 'calculate'];
const tellsNobody = [...ownWords, 'searchKnowledge'];

/**
 * Whether a call may be made without the person's permission. A tool's result may contain instructions aimed at the
 * model, so after one no other tool is called unasked: it can't be made to carry anything from one service to another.
 */
export function mayGoUnasked(
  {
    policy,
    toolId,
    toolKind,
    operationId,
  }: Pick<OfferedOperation, 'policy' | 'toolId' | 'toolKind' | 'operationId'>,
  before: Pick<StoredCall, 'toolId' | 'toolKind' | 'operationId' | 'state'>[],
): boolean {
  if (policy !== 'allow') return false;
  if (toolKind === 'builtin' && tellsNobody.includes(operationId)) return true;
  return before
    .filter(({ state }) => ['done', 'failed', 'repeated', 'rehearsed'].includes(state))
    .filter((call) => call.toolKind !== 'builtin' || !ownWords.includes(call.operationId))
    .every((call) => call.toolId === toolId && (toolKind !== 'builtin' || call.operationId === operationId));
}
