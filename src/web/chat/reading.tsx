import { Suspense, useRef, type ReactNode } from 'react';
import type { Message } from '../../contract/chat.ts';
import { Bubble } from './bubble.tsx';
import { ConversationContext } from './conversation-context.ts';
import style from './conversation.module.css';
import './print.css';
import { Printing } from './printing.tsx';
import { show } from './shown-messages.ts';
import { Side } from './side.tsx';
import { t } from './answer-text.ts';
import type { ChatAgent, ChatTransport } from './types.ts';
import { useBeside } from './use-beside.ts';
import { useConversation } from './use-conversation.ts';
import type { Unread } from './use-earlier.ts';

interface ReadingProps {
  agent: ChatAgent;
  asker: string;
  messages: readonly Message[];
  /** The messages after these, loaded before everything is printed. */
  unread: Unread;
  /** Shown after the last message. */
  children: ReactNode;
}

/** A transport for a read-only conversation. */
const closed: ChatTransport = {
  begun: false,
  load: async () => null,
  send: async () => Promise.reject(new Error('This conversation can only be read.')),
  attach: async () => Promise.reject(new Error('This conversation can only be read.')),
  stop: async () => undefined,
  watch: () => () => undefined,
};

/** What is the same in every read-only conversation. */
const still = {
  transport: closed,
  describeError: String,
  me: undefined,
  renderSourceLink: undefined,
  editing: null,
  setEditing: () => undefined,
  ask: () => undefined,
};

/** A read-only conversation. */
export function Reading({ agent, asker, messages, unread, children }: ReadingProps) {
  const chat = useConversation(still);
  const { beside, open, close } = useBeside();
  const scroller = useRef<HTMLDivElement>(null);
  const shown = messages.map(show);
  const parts = { ...still, agent, asker, chat: { ...chat, messages: shown }, open };
  return (
    <ConversationContext value={parts}>
      <div className={style['conversation']}>
        <div
          ref={scroller}
          className={`${style['column']} ${style['scroller']}`}
          tabIndex={0}
          role="region"
          aria-label={t('chat.log')}
          data-printed
        >
          <ol className={style['messages']}>
            {shown.map((message) => (
              <Bubble key={message.key} message={message} isLast={false} />
            ))}
            <li className={style['centred']} data-unprinted>
              {children}
            </li>
            {unread.earlier !== null && (
              <li className={`${style['centred']} ${style['notPrinted']}`}>{t('chat.restNotPrinted')}</li>
            )}
          </ol>
        </div>
        <Printing scroller={scroller} unread={unread} />
        {beside && (
          <Suspense>
            <Side beside={beside} onOpen={open} onClose={close} />
          </Suspense>
        )}
      </div>
    </ConversationContext>
  );
}
