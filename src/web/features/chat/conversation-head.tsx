import { IconClockHour4, IconEdit } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { Conversation } from '../../../contract/chat.ts';
import type { PublicAgent } from '../../../contract/chatbot.ts';
import { Mark } from '../../chat/mark.tsx';
import { t } from '../../messages/t.ts';
import { usePageName } from '../../routing/page-name.ts';
import { Hidden } from '../../ui/hidden.tsx';
import style from './chat.module.css';
import { ConversationMenu } from './conversation-menu.tsx';
import { later } from '../../ui/later.ts';

const RoomPeople = later(async () => (await import('./room-people.tsx')).RoomPeople);

interface ConversationHeadProps {
  agent: PublicAgent;
  /** Undefined before the first message. */
  conversation: Conversation | undefined;
  /** Before the first message: whether it will be kept out of the list. There is nothing to start anew then. */
  temporary?: { isOn: boolean; toggle: () => void } | undefined;
}

/** Shows the agent, the conversation's actions, and a button to start a new one. */
export function ConversationHead({ agent, conversation, temporary }: ConversationHeadProps) {
  // Without a title it goes by its agent's name.
  const title = conversation?.title !== agent.name && conversation?.title;
  usePageName(title ? t('page.within', { title, parent: agent.name }) : agent.name);
  return (
    <header className={style['head']}>
      <Mark agent={agent} />
      <div className={style['heading']}>
        <h1 className={style['name']}>{agent.name}</h1>
        {title && <p className={style['subtitle']}>{title}</p>}
      </div>
      {conversation?.kind === 'game' && (
        <Suspense>
          <RoomPeople conversation={conversation} />
        </Suspense>
      )}
      {temporary ? (
        <button
          type="button"
          className={style['anew']}
          aria-pressed={temporary.isOn}
          title={t('chats.temporary')}
          onClick={temporary.toggle}
        >
          <IconClockHour4 size="1.25em" aria-hidden />
          <Hidden>{t('chats.temporary')}</Hidden>
        </button>
      ) : (
        <Link
          to="/chat/{-$id}"
          params={{ id: agent.handle || agent.id }}
          className={style['anew']}
          aria-label={t('chats.new')}
          title={t('chats.new')}
        >
          <IconEdit size="1.25em" aria-hidden />
        </Link>
      )}
      <ConversationMenu agent={agent} conversation={conversation} />
    </header>
  );
}
