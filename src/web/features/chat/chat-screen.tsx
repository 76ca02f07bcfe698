import { IconMenu2 } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { isConversationId } from '../../chat-address.ts';
import { t } from '../../messages/t.ts';
import { Logo } from '../../ui/logo.tsx';
import style from './chat.module.css';
import { ConversationList } from './conversation-list.tsx';
import { KeepConversations } from './keep-conversations.tsx';
import { NewConversation } from './new-conversation.tsx';
import { NoConversation } from './no-conversation.tsx';
import { OpenConversation } from './open-conversation.tsx';

/**
 * What the address asks for: nothing yet, a conversation, or an agent to begin one with. A conversation that has just been
 * begun keeps its place on the page when the address takes its id, so that its answer goes on.
 */
export function ChatScreen() {
  const { id } = useParams({ from: '/chat/{-$id}' });
  const [begun, setBegun] = useState<{ with: string; id: string } | null>(null);
  // On phones the list is a sheet, which closes when another conversation is opened.
  const [listedAt, setListedAt] = useState<string | null>(null);
  const listed = listedAt === (id ?? '');
  const agent = begun && begun.id === id ? begun.with : id;
  return (
    <div className={style['screen']}>
      <div className={style['side']} data-listed={listed}>
        <header className={style['brand']}>
          <Link to="/" aria-label={t('product.name')}>
            <Logo />
          </Link>
        </header>
        <ConversationList openId={id} />
        <KeepConversations />
      </div>
      {listed && (
        <button
          type="button"
          className={style['scrim']}
          aria-label={t('ui.close')}
          onClick={() => setListedAt(null)}
        />
      )}
      <section className={style['pane']}>
        <button
          type="button"
          className={style['opener']}
          aria-label={t('nav.conversations')}
          onClick={() => setListedAt(id ?? '')}
        >
          <IconMenu2 size="1.5em" aria-hidden />
        </button>
        {agent === undefined && <NoConversation />}
        {agent !== undefined && isConversationId(agent) && <OpenConversation key={agent} id={agent} />}
        {agent !== undefined && !isConversationId(agent) && (
          <NewConversation
            key={agent}
            idOrHandle={agent}
            onBegun={(conversationId) => setBegun({ with: agent, id: conversationId })}
          />
        )}
      </section>
    </div>
  );
}
