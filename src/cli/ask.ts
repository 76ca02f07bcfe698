import type { ChatStreamEvent, Citation, Message } from '../contract/chat.ts';
import { send } from '../contract/client.ts';
import { contract } from '../contract/index.ts';
import { CliError, exitCodes } from './cli-error.ts';
import { agentSession, type Session } from './session.ts';
import type { Output } from './terminal.ts';

/** Asks and shows the answer as it streams, then its sources. Ctrl-C stops it on the server as well. */
export async function ask(
  called: string,
  text: string,
  conversationId: string | undefined,
  output: Output,
): Promise<void> {
  const session = await agentSession(called);
  const id =
    conversationId ?? (await session.api.chat.create({ chatbotId: session.agentId })).conversation.id;
  let isInterrupted = false;
  process.once('SIGINT', () => {
    isInterrupted = true;
    // Pressing it again ends the program at once.
    session.api.chat.stop({ id }).catch(() => process.exit(exitCodes.interrupted));
  });
  const answer = await follow(session, id, text, output);
  if (isInterrupted) throw new CliError('Interrupted.', exitCodes.interrupted);
  if (answer.error !== null) throw new CliError(answer.error);
  const sources = answer.citations.map(sourceOf);
  const data = { conversationId: id, answer: answer.text, citations: answer.citations };
  output.result(data, sources.length > 0 ? `\n\n${sources.join('\n')}` : '');
}

async function follow(session: Session, id: string, text: string, output: Output): Promise<Message> {
  const headers = { accept: 'text/event-stream' };
  const response = await send(contract.chat.send, { id, text }, session.options, { headers });
  let answer: Message | undefined;
  for await (const event of eventsOf(response)) {
    if (event.type === 'text-delta') output.piece(event.delta);
    if (event.type === 'data-message' && event.data.role === 'assistant') answer = event.data;
  }
  if (!answer) throw new CliError('The connection ended before the answer was complete.');
  return answer;
}

async function* eventsOf(response: Response): AsyncGenerator<ChatStreamEvent> {
  let rest = '';
  if (!response.body) return;
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === 'data: [DONE]') return;
      if (line.startsWith('data: ')) yield JSON.parse(line.slice(6)) as ChatStreamEvent;
    }
  }
}

function sourceOf({ number, title, headingPath, page, url }: Citation): string {
  const place = [title, ...headingPath, page === null ? '' : `page ${page}`, url].filter(Boolean).join(' › ');
  return `[${number}] ${place}`;
}
