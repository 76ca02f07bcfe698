import { isId } from '../../../contract/id-format.ts';

/** The name of who is in a room, over its conversation. */
export const ROOM_PEOPLE = 'people';

/** Where in a conversation, and what is to be open beside it. */
interface ChatPlace {
  /** The message that the reader has come for. */
  message?: string;
  /** Of a link: it lets its reader into a room. */
  join?: true;
  /** Of an agent: the version that a member tries. */
  version?: number | 'draft';
  /** Of an agent: the product that the reader has come to buy. */
  buy?: string;
}

/** What an address says of the place; what makes no sense is left out. */
export function chatPlaceOf({ message, join, version, buy }: Record<string, unknown>): ChatPlace {
  return {
    ...(isId('message', message) && { message: String(message) }),
    ...(join === true && { join }),
    ...(isVersion(version) && { version }),
    ...(isId('product', buy) && { buy: String(buy) }),
  };
}

function isVersion(version: unknown): version is number | 'draft' {
  return version === 'draft' || (Number.isSafeInteger(version) && Number(version) > 0);
}
