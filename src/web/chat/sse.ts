import type { ChatStreamEvent } from '../../contract/chat.ts';

const END = '[DONE]';

/** The connection ended before the answer was complete. */
export class StreamBroken extends Error {
  constructor() {
    super('The stream ended early.');
    this.name = 'StreamBroken';
  }
}

/** Reads the events of a streamed answer: each is `data: {json}` and an empty line, with `data: [DONE]` at the end. */
export async function* readEvents(response: Response): AsyncGenerator<ChatStreamEvent> {
  if (!response.body) throw new StreamBroken();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  // Not every browser supports iterating over a stream.
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const blocks = (rest + piece.value.replaceAll('\r', '')).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = dataOf(block);
      if (data === END) return;
      if (data !== '') yield JSON.parse(data) as ChatStreamEvent;
    }
  }
  throw new StreamBroken();
}

/** The data lines of one event; keep-alive comments have none. */
function dataOf(block: string): string {
  return block
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).replace(/^ /, ''))
    .join('\n');
}
