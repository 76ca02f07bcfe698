import { createStore } from '../store.ts';

/** The agent whose pages are open, or were last. Set by the guard `set-chatbot-id`. */
export const currentChatbotId = createStore<string | null>(null);
