import type { Citation, Conversation, Message } from '../../../contract/chat.ts';
import type { ExportedMessage } from '../../../contract/history.ts';
import { plainInMarkdown } from '../../plain-in-markdown.ts';

const NOT_ALL =
  'This is the version shown. Other versions of its questions and answers are in the JSON export.';

/**
 * The conversation as a document: who said what and when, with the sources below each answer. A document has a single
 * thread, the branch shown, and says if there are others.
 */
export function markdownOf({ title, agent, createdAt }: Conversation, messages: ExportedMessage[]): string {
  const shown = messages.filter(({ active }) => active);
  const head = [`# ${plainInMarkdown(title)}`, `${plainInMarkdown(agent.name)}, ${createdAt}`];
  if (shown.length < messages.length) head.push(NOT_ALL);
  return `${[...head, ...shown.map((message) => section(message, agent.name))].join('\n\n')}\n`;
}

function section(
  { role, author, text, attachments, citations, state, createdAt }: Message,
  agentName: string,
): string {
  const speaker = speakerOf(role, author?.name, agentName);
  const unfinished = ['stopped', 'failed', 'incomplete'].includes(state) ? ` (${state})` : '';
  return [
    `## ${plainInMarkdown(speaker)}, ${createdAt}${unfinished}`,
    ...attachments.map(({ name }) => `Attached: ${plainInMarkdown(name)}`),
    text,
    citations.map(sourceLine).join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** The speaker, and whether that is a person: the agent's answers are labeled as made by AI. */
function speakerOf(role: Message['role'], name: string | undefined, agentName: string): string {
  if (role === 'user') return name ?? 'You';
  return role === 'operator' ? `${name ?? agentName} (person)` : `${agentName} (AI)`;
}

function sourceLine({ number, title, url, page }: Citation): string {
  const place = page === null ? '' : `, page ${page}`;
  return `- [${number}] ${plainInMarkdown(title)}${place}${url === null ? '' : ` <${url}>`}`;
}

/** `Opening hours 2026-11-21.md`, using characters that every system accepts. */
export function fileNameOf({ title, createdAt }: Conversation, extension: string): string {
  const name = title
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, 60)
    .trim();
  return `${name || 'Conversation'} ${createdAt.slice(0, 10)}.${extension}`.toWellFormed();
}
