import type { ChatStreamEvent } from '../../../contract/chat.ts';
import { readBy } from './present.ts';
import type { StoredConversation } from './store.ts';

/** How long somebody who has left a room may still read what is said in it. */
const LOOK_MS = 1_000;

type Room = Pick<StoredConversation, 'userId'>;

/**
 * What is answered in a room, for one of those who are in it; it ends for who is not any more, whichever process they told. What a call is
 * to send is shown to who is asked alone, as in what is stored. `look` finds the room for as long as its reader is in it.
 */
export async function* whileInRoom(
  events: AsyncIterable<ChatStreamEvent>,
  reader: string,
  look: () => Promise<Room | undefined>,
): AsyncGenerator<ChatStreamEvent> {
  let room = await look();
  let lookedAt = performance.now();
  for await (const event of events) {
    if (performance.now() - lookedAt >= LOOK_MS) {
      room = await look();
      lookedAt = performance.now();
    }
    if (!room) return;
    yield toldTo(reader, room, event);
  }
}

function toldTo(reader: string, room: Room, event: ChatStreamEvent): ChatStreamEvent {
  if (event.type === 'data-message') return { ...event, data: readBy(reader, room, event.data) };
  if (event.type !== 'data-tool-calls') return event;
  return { ...event, data: readBy(reader, room, { toolCalls: event.data }).toolCalls };
}
