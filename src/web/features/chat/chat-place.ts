import { isId } from '../../../contract/id-format.ts';

/** The history name of a room's people dialog. */
export const ROOM_PEOPLE = 'people';

/** The position in a conversation, and what to open beside it. */
interface ChatPlace {
  /** The message to scroll to. */
  message?: string;
  /** For a link: it admits its reader to a room. */
  join?: true;
  /** For an agent: the version a member tries. */
  version?: number | 'draft';
  /** For an agent: the product the reader has come to buy. */
  buy?: string;
}

/** Parses the place from an address; invalid values are dropped. */
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
