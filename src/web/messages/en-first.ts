import { authMessages } from './en-auth.ts';
import { chatsMessages } from './en-chats.ts';
import { generalMessages } from './en-general.ts';

/** What the chat and the way into it show; the rest of the interface loads its texts when it is first opened. */
export const firstMessages = { ...generalMessages, ...chatsMessages, ...authMessages } as const;
