import { chatsMessages } from './en-chats.ts';
import { generalMessages } from './en-general.ts';
import { sessionMessages } from './en-session.ts';

/** What the chat and the front page show; the rest of the interface loads its texts when it is first opened. */
export const firstMessages = { ...generalMessages, ...chatsMessages, ...sessionMessages } as const;
