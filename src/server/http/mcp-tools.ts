import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyBaseLogger } from 'fastify';
import * as z from 'zod';
import { words } from '../../contract/common.ts';
import {
  MESSAGE_MAX_CHARACTERS,
  PROGRAM_PASSAGES_DEFAULT,
  PROGRAM_PASSAGES_MAX,
} from '../../contract/limits.ts';
import { AppError } from '../app-error.ts';
import type { VisitorCaller } from '../call.ts';
import type { AgentsForPrograms } from './program.ts';

interface ToolContext {
  agents: AgentsForPrograms;
  caller: VisitorCaller;
  agent: { id: string; name: string };
  log: FastifyBaseLogger;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

const Question = words(MESSAGE_MAX_CHARACTERS);

/** A passage of the agent's knowledge, and where it comes from. */
const Passage = z.object({
  title: z.string(),
  url: z.string().nullable(),
  headingPath: z.array(z.string()),
  page: z.number().nullable(),
  text: z.string(),
});
type Passage = z.infer<typeof Passage>;

/** What an agent can do for another one: answer and search. */
export function addTools(server: McpServer, context: ToolContext): void {
  const { name } = context.agent;
  server.registerTool(
    'ask',
    {
      title: `Ask ${name}`,
      description: `Asks ${name} one question, which must say all that it needs to be understood. The answer cites passages of its knowledge as [1].`,
      inputSchema: { question: Question },
      outputSchema: { answer: z.string(), citations: z.array(Passage.extend({ number: z.number() })) },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ question }) => told(context, () => ask(context, question)),
  );
  server.registerTool(
    'search_knowledge',
    {
      title: `Search what ${name} knows`,
      description: `Finds the passages of ${name}'s knowledge that speak to a question, best first, without an answer.`,
      inputSchema: {
        query: Question,
        limit: z.number().int().min(1).max(PROGRAM_PASSAGES_MAX).default(PROGRAM_PASSAGES_DEFAULT),
      },
      outputSchema: { passages: z.array(Passage.extend({ score: z.number() })) },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ query, limit }) => told(context, () => search(context, query, limit)),
  );
}

async function ask(
  { agents, caller, agent, signal }: ToolContext,
  question: string,
): Promise<CallToolResult> {
  const answer = await agents.ask(caller, { agentId: agent.id, text: question, said: [] }, signal);
  const made = await answer.done;
  if (made.error !== null) throw new AppError('server/unavailable', made.error);
  const citations = made.citations.map((each) => ({ number: each.number, ...passageOf(each) }));
  const sources = citations.map((each) => `[${each.number}] ${placeOf(each)}`);
  return {
    content: [{ type: 'text', text: [made.text, sources.join('\n')].filter(Boolean).join('\n\n') }],
    structuredContent: { answer: made.text, citations },
  };
}

async function search(
  { agents, caller, agent }: ToolContext,
  query: string,
  limit: number,
): Promise<CallToolResult> {
  const found = await agents.search(caller, { agentId: agent.id, query, limit });
  const passages = found.map((each) => ({ ...passageOf(each), score: each.score }));
  const texts = passages.map((each) => `${placeOf(each)}\n${each.text}`);
  return {
    content: [{ type: 'text', text: texts.join('\n\n') || 'Nothing was found.' }],
    structuredContent: { passages },
  };
}

function passageOf({ title, url, headingPath, page, text }: Passage): Passage {
  return { title, url, headingPath, page, text };
}

function placeOf({ title, url, headingPath, page }: Passage): string {
  return [title, ...headingPath, page === null ? '' : `page ${page}`, url].filter(Boolean).join(' › ');
}

/** Reports a failure to the calling model in our own words; details not meant for it go to the log. */
async function told({ log }: ToolContext, work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) log.error({ err: error }, 'a tool failed');
    const known = error instanceof AppError ? error : new AppError('server/error');
    return { isError: true, content: [{ type: 'text', text: `${known.message} (${known.code})` }] };
  }
}
