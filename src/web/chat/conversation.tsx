import { useCallback, useRef, useState } from 'react';
import type { Citation } from '../../contract/chat.ts';
import { Announcer } from './announcer.tsx';
import { Composer } from './composer.tsx';
import style from './conversation.module.css';
import { MessageList } from './message-list.tsx';
import { PassagePanel, type RenderSourceLink } from './passage-panel.tsx';
import type { ChatAgent, ChatTransport } from './types.ts';
import { useConversation } from './use-conversation.ts';
import { Welcome } from './welcome.tsx';

interface ConversationProps {
  agent: ChatAgent;
  /** Must stay the same object for one conversation. */
  transport: ChatTransport;
  describeError: (error: unknown) => string;
  /** True where the conversation is what the page is for. */
  autoFocus?: boolean;
  renderSourceLink?: RenderSourceLink | undefined;
}

/** A conversation with one agent: its messages, the composer, and the passage that a citation opens. */
export function Conversation(props: ConversationProps) {
  const { agent, transport, describeError, autoFocus = false, renderSourceLink } = props;
  const chat = useConversation({ transport, describeError });
  const [passage, setPassage] = useState<Citation | null>(null);
  const opener = useRef<Element | null>(null);
  const cite = useCallback((citation: Citation) => {
    opener.current = document.activeElement;
    setPassage(citation);
  }, []);
  const close = useCallback(() => {
    setPassage(null);
    if (opener.current instanceof HTMLElement) opener.current.focus();
  }, []);
  const send = (text: string) => void chat.send(text);
  const isNew = chat.loading === 'ready' && chat.messages.length === 0;
  const hasDraftOnly = isNew || chat.loading !== 'ready';
  return (
    <div className={style['conversation']}>
      <div className={style['column']}>
        {isNew ? (
          <Welcome agent={agent} onChoose={send} />
        ) : (
          <MessageList agent={agent} chat={chat} onCite={cite} />
        )}
        <Announcer messages={chat.messages} activity={chat.activity} />
        <Composer
          agentName={agent.name}
          autoFocus={autoFocus && hasDraftOnly}
          answering={chat.activity !== 'idle'}
          disabled={chat.loading !== 'ready'}
          onSend={send}
          onStop={() => void chat.stop()}
        />
      </div>
      {passage && (
        <PassagePanel
          key={passage.chunkId}
          citation={passage}
          renderSourceLink={renderSourceLink}
          onClose={close}
        />
      )}
    </div>
  );
}
