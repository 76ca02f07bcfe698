import { isId } from '../../contract/id-format.ts';

const HANDLE = /^[a-z0-9][a-z0-9-]{0,62}$/i;

/** The token of a link to a conversation: the link's ID and its proof. */
const LINK_TOKEN = /^shr_[\w.~-]{1,124}$/;

export const isLinkToken = (value: string): boolean => LINK_TOKEN.test(value);

export const isConversationId = (value: string): boolean => isId('conversation', value);

/** What may follow `/chat/`: the ID of a conversation or an agent, an agent's handle, or a link's token. */
export function isChatAddress(value: string): boolean {
  return isConversationId(value) || isId('agent', value) || isLinkToken(value) || HANDLE.test(value);
}
