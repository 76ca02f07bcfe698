import { idOf } from '../contract/id.ts';

const HANDLE = /^[a-z0-9][a-z0-9-]{0,62}$/i;

export const isConversationId = (value: string): boolean => idOf('conversation').safeParse(value).success;

/** What may stand after `/chat/`: the id of a conversation or of an agent, or an agent's handle. */
export function isChatAddress(value: string): boolean {
  return isConversationId(value) || idOf('agent').safeParse(value).success || HANDLE.test(value);
}
