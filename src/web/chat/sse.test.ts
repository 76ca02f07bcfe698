import { describe, expect, test } from 'vitest';
import type { ChatStreamEvent } from '../../contract/chat.ts';
import { readEvents, StreamBroken } from './sse.ts';

async function read(...pieces: (string | Uint8Array<ArrayBuffer>)[]): Promise<ChatStreamEvent[]> {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const piece of pieces)
        controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece);
      controller.close();
    },
  });
  return Array.fromAsync(readEvents(new Response(body)));
}

const delta = (text: string) => `data: ${JSON.stringify({ type: 'text-delta', id: '0', delta: text })}\n\n`;

describe('readEvents', () => {
  test('reads events split anywhere, even within a character', async () => {
    const bytes = new TextEncoder().encode(`${delta('Grüße')}data: [DONE]\n\n`);
    const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(await read(...pieces)).toEqual([{ type: 'text-delta', id: '0', delta: 'Grüße' }]);
  });

  test('ignores comments', async () => {
    expect(await read(': alive\n\n', delta('a'), 'data: [DONE]\n\n')).toHaveLength(1);
  });

  test('distinguishes a broken stream from a finished one', async () => {
    await expect(read(delta('a'))).rejects.toThrow(StreamBroken);
  });
});
