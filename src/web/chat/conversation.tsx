import { Suspense, useImperativeHandle, useRef, useState, type Ref } from 'react';
import { Announcer } from './announcer.tsx';
import { ComposerArea } from './composer-area.tsx';
import { ConversationContext, useParts } from './conversation-context.ts';
import style from './conversation.module.css';
import { lazily } from '../ui/later.ts';
import type { MessageListProps } from './message-list.tsx';
import { newKey } from './new-key.ts';
import type { RenderSourceLink } from './passage-panel.tsx';
import type { SideProps } from './side.tsx';
import type { ChatAgent, ChatTransport } from './types.ts';
import { useBeside } from './use-beside.ts';
import { useConversation } from './use-conversation.ts';
import { useDrop } from './use-drop.ts';
import { useFiles } from './use-files.ts';
import { useKeepFocus } from './use-keep-focus.ts';
import { Welcome } from './welcome.tsx';

export interface ConversationProps {
  agent: ChatAgent;
  /** Must stay the same object throughout a conversation. */
  transport: ChatTransport;
  /** Must stay the same function. */
  describeError: (error: unknown) => string;
  /** True if the conversation is the page's main purpose. */
  autoFocus?: boolean;
  renderSourceLink?: RenderSourceLink | undefined;
  /** The key under which a draft is stored until it is sent, and a sent message until it has arrived. */
  draftKey?: string | undefined;
  /** In a room: the reader's own ID. */
  me?: string | undefined;
  /** The message to scroll to. */
  startAt?: string | undefined;
  handle?: Ref<ConversationHandle>;
}

/** What the surrounding page can do with a conversation. */
export interface ConversationHandle {
  send: (text: string) => void;
}

// The message list isn't needed to start writing the first message. It loads while that is written, or when the pointer
// approaches a question.
const loadMessageList = async () => (await import('./message-list.tsx')).MessageList;
const MessageList = lazily<MessageListProps>(loadMessageList, Said);
const Paywall = lazily<object>(async () => (await import('./shop/paywall.tsx')).Paywall);
const Side = lazily<SideProps>(async () => (await import('./side.tsx')).Side);

/** Shown until the message list is loaded: what was just said, and why it did not arrive. */
function Said() {
  const { messages } = useParts().chat;
  return (
    <ol className={`${style['scrollFrame']} ${style['messages']}`}>
      {messages.map(
        ({ id, key, text, error }) =>
          id === null && (
            <li key={key} className={style['question']}>
              <p className={style['said']}>{text}</p>
              <p className={style['problem']} role="alert">
                {error}
              </p>
            </li>
          ),
      )}
    </ol>
  );
}

/** If it can't be loaded now, it is loaded when needed. */
const prepare = () => void loadMessageList().catch(() => undefined);

/** A conversation with one agent: its messages, the composer, and the side panel. */
export function Conversation(props: ConversationProps) {
  const { agent, transport, describeError, draftKey, autoFocus = false, renderSourceLink, me } = props;
  const chat = useConversation({ transport, describeError, draftKey });
  const files = useFiles({ transport: transport.files, describeError, draftKey });
  const [editing, setEditing] = useState<string | null>(null);
  const { beside, open, close } = useBeside();
  const frame = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useKeepFocus(frame, field);
  const ask = (text: string) => void chat.send({ key: newKey(), text, attachments: [] });
  useImperativeHandle(props.handle, () => ({ send: ask }));
  const shared = { agent, transport, describeError, me, renderSourceLink };
  const isNew = chat.loading === 'ready' && chat.messages.length === 0;
  return (
    <ConversationContext value={{ ...shared, chat, editing, setEditing, open, ask }}>
      <div ref={frame} className={style['conversation']} onInput={prepare} onPointerOver={prepare}>
        <div className={style['column']} {...useDrop(files.offered, files.add)}>
          {isNew ? (
            <Welcome agent={agent} onChoose={ask} />
          ) : (
            <Suspense fallback={<Said />}>
              <MessageList startAt={props.startAt} />
            </Suspense>
          )}
          <Announcer />
          {chat.refused && (
            <Suspense>
              <Paywall />
            </Suspense>
          )}
          <ComposerArea
            files={files}
            field={field}
            draftKey={draftKey}
            autoFocus={autoFocus && (isNew || chat.loading !== 'ready')}
          />
        </div>
        {beside && (
          <Suspense>
            <Side beside={beside} onOpen={open} onClose={close} />
          </Suspense>
        )}
      </div>
    </ConversationContext>
  );
}
