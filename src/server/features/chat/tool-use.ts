import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ToolCall,
} from '@ai-sdk/provider';
import { TOOL_CALLS_AN_ANSWER_MAX } from '../../../contract/limits.ts';
import type { ToolCallNeed, ToolCallState } from '../../../contract/tool.ts';
import type { Deps } from '../../deps.ts';
import { isForm, signInHost, type OfferedOperation } from '../tool/store.ts';
import type { LiveAnswer } from './live.ts';
import * as store from './tool-call-store.ts';
import type { CallEnd, StoredCall } from './tool-call-store.ts';
import { idempotencyKeyOf, mayGoUnasked, onceKeyIn, onceKeyOf, onlyLooks, presentCall } from './tool-call.ts';
import {
  describeFunctions,
  functionsOf,
  resultText,
  stepMessages,
  type AnsweredCall,
} from './tool-prompt.ts';
import type { Turn } from './turn-store.ts';

/** Calling the functions offered to an agent; provided by the tool feature. */
export interface Toolbox {
  /** Parses the arguments a model wrote for this operation. Throws an `Error` worded for the model. */
  readArguments: (operation: OfferedOperation, input: string) => Record<string, unknown>;
  /** Whether the person has connected their account at the service. */
  hasAccount: (key: { organizationId: string; toolId: string; userId: string }) => Promise<boolean>;
  /** The result for a dry run; null: nothing is recorded. */
  fixtureOf: (key: { organizationId: string; toolId: string; operationId: string }) => Promise<string | null>;
  /** Secrets are masked in the result. Throws only if `signal` aborts it. */
  call: (request: {
    organizationId: string;
    toolId: string;
    operationId: string;
    arguments: Record<string, unknown>;
    idempotencyKey: string | undefined;
    /** Whose account is used, if each person has one. */
    userId: string;
    conversationId: string;
    signal: AbortSignal;
  }) => Promise<{
    state: 'done' | 'failed' | 'refused';
    status: number | null;
    text: string;
    durationMs: number;
    /** Nothing was sent, because the person's account is no longer connected. */
    needsAccount?: boolean;
  }>;
}

type Context = Pick<Deps, 'db' | 'log' | 'traces'>;

/**
 * One answer's use of tools. Each call is recorded before it is made, and reaches its service once, however often it is
 * requested; calls that need the person's permission wait for it in the database.
 */
export class ToolUse {
  readonly functions: LanguageModelV4FunctionTool[];
  readonly steps: LanguageModelV4Message[] = [];
  readonly #calls: StoredCall[];
  readonly #deps: Context;
  readonly #turn: Turn;
  readonly #live: LiveAnswer;
  readonly #toolbox: Toolbox;
  readonly #byName: ReadonlyMap<string, OfferedOperation>;
  /** The maximum number of calls for the answer. */
  readonly #callsMax: number;
  /** Calls made earlier. */
  readonly #madeBefore: number;

  constructor(deps: Context, turn: Turn, live: LiveAnswer, toolbox: Toolbox) {
    this.#deps = deps;
    this.#turn = turn;
    this.#live = live;
    this.#toolbox = toolbox;
    this.#byName = functionsOf(turn.tools);
    this.functions = describeFunctions(this.#byName);
    this.#calls = [...(turn.resumed ?? [])];
    this.#madeBefore = this.#made;
    const paid = turn.charge?.callsMax ?? TOOL_CALLS_AN_ANSWER_MAX;
    this.#callsMax = Math.min(TOOL_CALLS_AN_ANSWER_MAX, this.#madeBefore + paid);
  }

  get calls(): readonly StoredCall[] {
    return this.#calls;
  }

  /** Successful calls made since it started or resumed. */
  get madeNow(): number {
    return this.#made - this.#madeBefore;
  }

  get #made(): number {
    return this.#calls.filter(({ state }) => state === 'done').length;
  }

  get isWaiting(): boolean {
    return this.#calls.some(({ state }) => state === 'waiting');
  }

  /** How many model steps were taken before. */
  get stepsBefore(): number {
    return Math.max(-1, ...this.#calls.map(({ step }) => step)) + 1;
  }

  /** Makes the calls the person has allowed, and tells the model about all calls so far. */
  async resume(): Promise<void> {
    for (const call of this.#calls) if (call.state === 'allowed') await this.#makeAllowed(call);
    const bySteps = Map.groupBy(this.#calls, ({ step }) => step);
    for (const calls of bySteps.values()) this.steps.push(...stepMessages('', calls.map(answeredOf)));
    this.#tell();
  }

  /** Makes the calls the model requested in one step, as far as that is possible without asking anyone. */
  async take(step: number, text: string, calls: LanguageModelV4ToolCall[]): Promise<void> {
    const answered: AnsweredCall[] = [];
    for (const [position, asked] of calls.entries()) {
      const done = await this.#takeOne(asked, { step, position });
      answered.push(typeof done === 'string' ? unknownOf(asked, done) : answeredOf(done));
      if (this.#live.abort.signal.aborted) return;
    }
    this.steps.push(...stepMessages(text, answered));
  }

  async #takeOne(
    asked: LanguageModelV4ToolCall,
    place: { step: number; position: number },
  ): Promise<StoredCall | string> {
    const operation = this.#byName.get(asked.toolName);
    if (!operation || this.#calls.length >= this.#callsMax) {
      this.#deps.log.info(
        { messageId: this.#turn.answer.id, isKnown: operation !== undefined },
        'a tool call by the model was refused',
      );
      return operation ? 'You have called enough for one answer.' : 'There is no such function.';
    }
    const blank = this.#blankOf(operation, asked, place);
    let given: Record<string, unknown>;
    try {
      given = this.#toolbox.readArguments(operation, asked.input);
    } catch (error) {
      const result = error instanceof Error ? error.message : 'The arguments cannot be read.';
      return this.#refuse({ ...blank, arguments: {} }, result);
    }
    return this.#decide(operation, { ...blank, arguments: given });
  }

  async #decide(
    operation: OfferedOperation,
    call: Omit<store.NewCall, 'state'>,
  ): Promise<StoredCall | string> {
    const { toolId, operationId } = operation;
    const isPersonal = signInHost(operation.authentication) !== undefined;
    // What one person's account reveals isn't for everyone in the room.
    if (isPersonal && this.#turn.kind === 'game') return this.#refuse(call, 'This cannot be used in a room.');
    const key = onceKeyOf(toolId, operationId, call.arguments);
    const onceKey = onceKeyIn(call.messageId ?? '', operation, key);
    if (this.#wasDenied(key)) return this.#add({ ...call, state: 'denied' });
    const waitsFor = await this.#needOf(operation);
    const before =
      onceKey !== null && waitsFor
        ? await store.findOnce(this.#deps.db, this.#conversation, onceKey)
        : undefined;
    if (before) return this.#repeat(call, before);
    if (waitsFor) return this.#add({ ...call, state: 'waiting', waitsFor });
    const begun = await store.insertCall(this.#deps.db, { ...call, onceKey, state: 'running' });
    if (begun) {
      this.#calls.push(begun);
      return this.#make(begun, onceKey);
    }
    const earlier =
      onceKey === null ? undefined : await store.findOnce(this.#deps.db, this.#conversation, onceKey);
    return this.#repeat(call, earlier);
  }

  /** What a call has to wait for; undefined: nothing. */
  async #needOf(operation: OfferedOperation): Promise<ToolCallNeed | undefined> {
    if (isForm(operation)) return 'form';
    const { toolId, authentication } = operation;
    const key = { organizationId: this.#conversation.organizationId, toolId, userId: this.#turn.userId };
    const isPersonal = signInHost(authentication) !== undefined && !this.#isRehearsed(operation);
    if (isPersonal && !(await this.#toolbox.hasAccount(key))) return 'account';
    return mayGoUnasked(operation, this.#calls) ? undefined : 'word';
  }

  async #refuse(call: Omit<store.NewCall, 'state'>, result: string): Promise<StoredCall | string> {
    const end = { state: 'refused', result, status: null, durationMs: null } as const;
    return this.#add({ ...call, state: 'refused' }, end);
  }

  /** Nobody is asked twice about something they declined. */
  #wasDenied(key: string): boolean {
    return this.#calls.some(
      ({ state, toolId, operationId, arguments: given }) =>
        state === 'denied' && onceKeyOf(toolId, operationId, given) === key,
    );
  }

  async #repeat(
    call: Omit<store.NewCall, 'state'>,
    before: CallEnd | undefined,
  ): Promise<StoredCall | string> {
    const end = {
      state: 'repeated',
      result: before?.result ?? null,
      status: null,
      durationMs: null,
    } as const;
    return this.#add({ ...call, state: 'repeated' }, end);
  }

  async #add(call: store.NewCall, end?: CallEnd): Promise<StoredCall | string> {
    const made = await store.insertCall(this.#deps.db, call);
    if (!made) return 'This could not be called.';
    if (end) await store.endCall(this.#deps.db, made, end);
    const added = { ...made, ...end };
    this.#calls.push(added);
    this.#announce(added);
    return added;
  }

  async #makeAllowed(call: StoredCall): Promise<void> {
    const { db } = this.#deps;
    const operation = this.#turn.tools.find(
      ({ toolId, operationId }) => toolId === call.toolId && operationId === call.operationId,
    );
    const key = onceKeyOf(call.toolId, call.operationId, call.arguments);
    const onceKey = onceKeyIn(call.messageId ?? '', operation, key);
    if (await store.beginAllowed(db, call, onceKey)) {
      Object.assign(call, { state: 'running', onceKey });
      await this.#make(call, onceKey);
      return;
    }
    const before = onceKey === null ? undefined : await store.findOnce(db, this.#conversation, onceKey);
    const end = {
      state: 'repeated',
      result: before?.result ?? null,
      status: null,
      durationMs: null,
    } as const;
    await store.endCall(db, call, end);
    Object.assign(call, end);
  }

  /** Makes the call itself; it is marked as started, so nobody else makes it. */
  async #make(call: StoredCall, onceKey: string | null): Promise<StoredCall> {
    this.#announce(call);
    const end = this.#isRehearsed(call) ? await this.#rehearse(call) : await this.#reach(call, onceKey);
    await store.endCall(this.#deps.db, call, end);
    Object.assign(call, end);
    this.#announce(call);
    return call;
  }

  /** Whether this is a dry run of a call that does more than read. Built-in functions reach nobody. */
  #isRehearsed({
    toolId,
    toolKind,
    operationId,
  }: Pick<StoredCall, 'toolId' | 'toolKind' | 'operationId'>): boolean {
    const operation = this.#turn.tools.find(
      (offered) => offered.toolId === toolId && offered.operationId === operationId,
    );
    return this.#turn.dryRun && toolKind !== 'builtin' && !onlyLooks(operation?.method ?? '');
  }

  async #rehearse(call: StoredCall): Promise<CallEnd> {
    const result = await this.#toolbox.fixtureOf(call);
    return { state: 'rehearsed', result, status: null, durationMs: null };
  }

  async #reach(call: StoredCall, onceKey: string | null): Promise<CallEnd> {
    const { organizationId, toolId, operationId, arguments: given } = call;
    const { signal } = this.#live.abort;
    // Nothing has been sent, so the same call can be requested again.
    if (signal.aborted)
      return {
        state: 'refused',
        result: 'It was stopped before it was begun.',
        status: null,
        durationMs: null,
      };
    const idempotencyKey = onceKey === null ? undefined : idempotencyKeyOf(this.#conversation.id, onceKey);
    const request = {
      organizationId,
      toolId,
      operationId,
      arguments: given,
      idempotencyKey,
      userId: this.#turn.userId,
      conversationId: this.#conversation.id,
      signal,
    };
    const called = this.#deps.traces.span('tool', () => this.#toolbox.call(request));
    return called.then(
      ({ state, text, status, durationMs, needsAccount }): CallEnd =>
        needsAccount ? store.untilConnected : { state, result: text, status, durationMs },
      (): CallEnd => ({ state: 'failed', result: 'It was stopped.', status: null, durationMs: null }),
    );
  }

  #blankOf(
    { toolId, toolName, toolKind, authentication, form, operationId, summary }: OfferedOperation,
    { toolCallId, toolName: functionName, providerMetadata }: LanguageModelV4ToolCall,
    place: { step: number; position: number },
  ) {
    const { organizationId, conversationId, id: messageId } = this.#turn.answer;
    return {
      organizationId,
      conversationId,
      messageId,
      toolId,
      toolName,
      toolKind,
      authentication,
      form,
      operationId,
      summary,
      functionName,
      modelCallId: toolCallId.slice(0, 200),
      modelMetadata: providerMetadata ?? null,
      waitsFor: 'word' as const,
      onceKey: null,
      ...place,
    };
  }

  get #conversation() {
    const { organizationId, conversationId } = this.#turn.answer;
    return { organizationId, id: conversationId };
  }

  /** Reports a call's state to the readers; never its input or output. */
  #announce({ id, functionName, state, messageId: _ }: StoredCall): void {
    const events = eventsOf(state, id, functionName);
    for (const event of events) this.#live.push(event);
    this.#tell();
  }

  #tell(): void {
    this.#live.push({ type: 'data-tool-calls', data: this.#calls.map(presentCall) });
  }
}

function eventsOf(state: ToolCallState, toolCallId: string, toolName: string) {
  const begun = { type: 'tool-input-available', toolCallId, toolName, input: {} } as const;
  const done = { type: 'tool-output-available', toolCallId, output: {} } as const;
  switch (state) {
    case 'waiting':
      return [begun, { type: 'tool-approval-request', approvalId: toolCallId, toolCallId } as const];
    case 'running':
      return [begun];
    case 'done':
    case 'rehearsed':
      return [done];
    case 'repeated':
      return [begun, done];
    case 'failed':
      return [
        { type: 'tool-output-error', toolCallId, errorText: 'The service could not do this.' } as const,
      ];
    case 'refused':
      return [begun, { type: 'tool-output-error', toolCallId, errorText: 'This cannot be called.' } as const];
    case 'denied':
      return [begun, { type: 'tool-output-denied', toolCallId } as const];
    case 'allowed':
      return [];
  }
}

function answeredOf({
  modelCallId,
  functionName,
  arguments: input,
  modelMetadata,
  state,
  result,
  onceKey,
}: StoredCall): AnsweredCall {
  const metadata = modelMetadata as AnsweredCall['metadata'] | null;
  return {
    id: modelCallId,
    name: functionName,
    input,
    metadata: metadata ?? undefined,
    result: resultText(state, result, { onlyLooks: onceKey === null }),
  };
}

function unknownOf({ toolCallId, toolName }: LanguageModelV4ToolCall, result: string): AnsweredCall {
  return { id: toolCallId, name: toolName, input: {}, result };
}
