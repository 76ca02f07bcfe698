import type { Citation, MessageToolCall } from '../../../contract/chat.ts';
import type { OpenChannel } from '../../channels/channel.ts';
import { withInlineLinks } from '../../channels/inline-links.ts';
import { asCode, isIntricate } from '../../channels/intricate.ts';
import { withoutPictures } from '../../channels/without-pictures.ts';
import { plainInMarkdown } from '../../plain-in-markdown.ts';

interface Said {
  text: string;
  citations: Citation[];
  toolCalls: MessageToolCall[];
  state: string;
}

/** An answer as Markdown for a channel: with the pages it is based on, and what the person is asked to approve. */
export function wordsOf({ text, citations, toolCalls, state }: Said): string {
  const sources = citations.map(
    ({ number, title, url }) =>
      `[${number}] ${url === null ? plainInMarkdown(title) : `[${plainInMarkdown(title)}](${url})`}`,
  );
  const asked =
    state === 'waiting' ? toolCalls.filter((call) => call.state === 'waiting').map(questionOf) : [];
  return [text.trim(), sources.join('\n'), ...asked].filter((part) => part !== '').join('\n\n');
}

/** The question to the person is entirely ours: a value the model was led to write can't pass for part of it. */
function questionOf({ tool, summary, values }: MessageToolCall): string {
  const lines = values.map(({ name, value }) => `- ${plainInMarkdown(name)}: ${plainInMarkdown(value)}`);
  return [
    `**${plainInMarkdown(tool)}**: ${plainInMarkdown(summary)}`,
    ...lines,
    'May I do this? Answer **yes** or **no**.',
  ].join('\n');
}

/**
 * What is sent to a place in a channel, one entry per message. Pictures are searched for after splitting, because a
 * split can create one.
 */
export async function partsFor(
  channel: Pick<OpenChannel, 'cut' | 'partMaxCharacters'>,
  place: string,
  markdown: string,
): Promise<string[]> {
  const words = isIntricate(markdown) ? asCode(markdown) : await withInlineLinks(markdown);
  if (channel.cut) return channel.cut(place, words);
  return Promise.all(partsOf(words, channel.partMaxCharacters).map(withoutPictures));
}

/**
 * Splits Markdown where it does the least harm: between paragraphs, or else lines, or else words. A split code block is
 * closed and reopened. No part is longer than `max` characters.
 */
export function partsOf(markdown: string, max: number): string[] {
  const parts: string[] = [];
  let rest = markdown.trim();
  let fence = '';
  while (rest.length > 0) {
    const room = max - (fence ? fence.length + 1 : 0) - '\n```'.length;
    const cut = fence.length + 1 + rest.length <= max && fence !== '' ? rest.length : cutOf(rest, room, max);
    const piece = rest.slice(0, cut).trimEnd();
    rest = rest.slice(cut).replace(/^\n+/, '');
    const whole = fence ? `${fence}\n${piece}` : piece;
    fence = openFence(whole);
    parts.push(fence && rest.length > 0 ? `${whole}\n\`\`\`` : whole);
    if (rest.length === 0) break;
  }
  return parts;
}

function cutOf(text: string, room: number, max: number): number {
  if (text.length <= max) return text.length;
  const within = text.slice(0, room);
  for (const mark of ['\n\n', '\n', ' ']) {
    const at = within.lastIndexOf(mark);
    if (at > room / 2) return at + mark.length;
  }
  // Not inside a surrogate pair.
  return /[\uD800-\uDBFF]$/.test(within) ? room - 1 : room;
}

/** The line that opened the code block in which the text ends; empty outside of one. */
function openFence(text: string): string {
  let open = '';
  for (const line of text.split('\n')) {
    if (!line.startsWith('```')) continue;
    open = open === '' ? line.slice(0, 40) : '';
  }
  return open;
}
