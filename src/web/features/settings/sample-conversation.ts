import type { Message } from '../../../contract/chat.ts';
import type { ChatTransport } from '../../chat/types.ts';
import { t } from '../../messages/t.ts';

const refuse = () => Promise.reject(new Error('Nothing is said in a preview.'));

/** Before the first message: the agent's own welcome. */
export const unbegun: ChatTransport = {
  begun: false,
  load: async () => null,
  send: refuse,
  attach: async () => nothing(),
  stop: async () => undefined,
  watch: () => () => undefined,
};

/** A sample question and answer that exist on no server. */
export function sampleConversation(): ChatTransport {
  const messages = [answer(), question()];
  return { ...unbegun, begun: true, load: async () => ({ messages, nextCursor: null }) };
}

const common: Omit<Message, 'id' | 'role' | 'text' | 'sequence'> = {
  conversationId: 'sample',
  state: 'complete',
  citations: [],
  attachments: [],
  suggestions: [],
  toolCalls: [],
  author: null,
  parentId: null,
  siblings: [],
  rating: null,
  error: null,
  createdAt: new Date(0).toISOString(),
};

function question(): Message {
  return { ...common, id: 'sample-question', role: 'user', text: t('looks.sampleQuestion'), sequence: 1 };
}

function answer(): Message {
  const passage = { chunkId: 'sample', sourceId: 'sample', knowledgeId: 'sample' };
  return {
    ...common,
    id: 'sample-answer',
    role: 'assistant',
    text: t('looks.sampleAnswer'),
    citations: [
      {
        ...passage,
        number: 1,
        title: t('looks.sampleSource'),
        url: null,
        headingPath: [],
        page: null,
        offset: null,
        text: t('looks.samplePassage'),
        card: null,
      },
    ],
    suggestions: [t('looks.sampleSuggestion')],
    sequence: 2,
  };
}

async function* nothing(): AsyncGenerator<never> {
  // No answer is in progress.
}
