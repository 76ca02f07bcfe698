import type { ChatStreamEvent } from '../../../contract/chat.ts';
import { readBy } from './present.ts';
import type { StoredConversation } from './store.ts';

/** How long someone who has left a room may still read what is said in it. */
const LOOK_MS = 1_000;

type Room = Pick<StoredConversation, 'userId'>;

/**
 * An answer in a room, for one of its participants; it ends when they leave, whichever process handled that. What a
 * call will send is shown only to the person asked, as in stored messages. `look` finds the room as long as its reader
 * is in it.
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
