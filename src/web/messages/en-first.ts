import { chatsMessages } from './en-chats.ts';
import { generalMessages } from './en-general.ts';
import { sessionMessages } from './en-session.ts';

/** The texts of the chat and the front page; the rest of the interface loads its texts when first opened. */
export const firstMessages = { ...generalMessages, ...chatsMessages, ...sessionMessages } as const;
