import type { ChatStreamEvent } from '../../../contract/chat.ts';

/** How long somebody who has left a room may still read what is said in it. */
const LOOK_MS = 1_000;

/** What is answered in a room, for one of those who are in it; it ends for who is not any more, whichever process they told. */
export async function* whileInRoom(
  events: AsyncIterable<ChatStreamEvent>,
  isIn: () => Promise<boolean>,
): AsyncGenerator<ChatStreamEvent> {
  let lookedAt = Date.now();
  for await (const event of events) {
    if (Date.now() - lookedAt >= LOOK_MS) {
      if (!(await isIn())) return;
      lookedAt = Date.now();
    }
    yield event;
  }
}
