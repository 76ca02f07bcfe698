import { TOOL_RESULT_MAX_CHARACTERS } from '../../../../contract/limits.ts';
import { AppError } from '../../../app-error.ts';
import type { Deps } from '../../../deps.ts';
import { readerIn, retrieve, vectorOf } from '../../knowledge/search.ts';
import { ArgumentError, checkArguments } from '../call/check-arguments.ts';
import type { CallOutcome, ToolCall, ToolCaller } from '../call/caller.ts';
import { COLLECT_LEAD, HAND_OVER } from '../store.ts';
import { calculate, CalculationError } from './calculator.ts';

type BuiltinDeps = Pick<Deps, 'db' | 'egress' | 'documents' | 'embedding'> & {
  /** Requests a person in that conversation and tells the model, in words, what comes of it. Errors: `chat/no-person`. */
  handOver: (key: { organizationId: string; conversationId: string }, reason: string) => Promise<string>;
};

/** Runs the built-in operations; never throws, except when the caller aborts. */
export function createBuiltinCaller(deps: BuiltinDeps): ToolCaller {
  return async (call) => {
    const started = performance.now();
    const end = (state: CallOutcome['state'], text: string): CallOutcome => {
      return {
        state,
        status: null,
        text,
        durationMs: Math.round(performance.now() - started),
        request: null,
      };
    };
    try {
      checkArguments(call.operation.inputSchema, call.arguments);
      return end('done', (await resultOf(deps, call)).slice(0, TOOL_RESULT_MAX_CHARACTERS).toWellFormed());
    } catch (error) {
      call.signal.throwIfAborted();
      if (error instanceof ArgumentError || error instanceof CalculationError)
        return end('refused', error.message);
      return end('failed', error instanceof AppError ? error.message : 'It could not be done.');
    }
  };
}

async function resultOf(
  deps: BuiltinDeps,
  { tool, operation, arguments: given, conversationId, signal }: ToolCall,
): Promise<string> {
  const value = (name: string) => (typeof given[name] === 'string' ? given[name] : '');
  switch (operation.id) {
    case 'currentTime':
      return timeIn(value('timeZone') || 'UTC');
    case 'calculate':
      return String(calculate(value('expression')));
    case 'readPage':
      return readPage(deps, tool.hosts, value('url'), signal);
    case 'searchKnowledge':
      return searchKnowledge(deps, tool, value('question'));
    case HAND_OVER:
      if (conversationId === undefined) throw new ArgumentError('It is done within a conversation.');
      return deps.handOver({ organizationId: tool.organizationId, conversationId }, value('reason'));
    case COLLECT_LEAD:
      throw new ArgumentError('The form is filled in within a conversation.');
    default:
      throw new ArgumentError('There is no such function.');
  }
}

async function searchKnowledge(
  deps: BuiltinDeps,
  { organizationId, agentId }: ToolCall['tool'],
  question: string,
): Promise<string> {
  const vector = await vectorOf(deps, organizationId, question);
  const { passages } = await deps.db.in({ organizationId }, (tx) =>
    retrieve(readerIn(tx, { organizationId, agentId }), question, [], vector),
  );
  if (passages.length === 0) return 'Nothing was found.';
  return passages.map(({ title, text }) => `${title}\n${text}`).join('\n\n');
}

function timeIn(timeZone: string): string {
  try {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'long' });
    return `${format.format(new Date())} (${timeZone})`;
  } catch {
    throw new ArgumentError('This time zone does not exist.');
  }
}

/** Only from the sites that members have named, whatever the page redirects to. */
async function readPage(
  { egress, documents }: BuiltinDeps,
  hosts: string[],
  url: string,
  signal: AbortSignal,
): Promise<string> {
  if (!isOnSite(hosts, url)) throw new ArgumentError('This page is on none of the sites that are allowed.');
  const page = await egress.fetch(url, { signal });
  if (!isOnSite(hosts, page.url)) throw new AppError('egress/failed', 'The page has moved to another site.');
  if (page.status !== 200) throw new AppError('egress/failed', `The page answered ${page.status}.`);
  const name = page.contentType.includes('html')
    ? 'page.html'
    : (new URL(page.url).pathname.split('/').at(-1) ?? '');
  const file = new File([new Uint8Array(page.body)], name || 'page.html', { type: page.contentType });
  return (await documents.open(file, TOOL_RESULT_MAX_CHARACTERS)).text ?? '';
}

/** `example.com` matches that host only, `*.example.com` the hosts below it; a port is part of it. */
function isOnSite(hosts: string[], address: string): boolean {
  const host = URL.parse(address)?.host ?? '';
  return hosts.some((site) => (site.startsWith('*.') ? host.endsWith(site.slice(1)) : host === site));
}
