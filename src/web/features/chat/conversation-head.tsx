import { IconEdit } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { PublicAgent } from '../../../contract/chatbot.ts';
import { t } from '../../messages/t.ts';
import { Avatar } from '../../ui/avatar.tsx';
import style from './chat.module.css';

/** Whom one talks to, and the way to begin anew with them. */
export function ConversationHead({ agent }: { agent: PublicAgent }) {
  return (
    <header className={style['head']}>
      <Avatar name={agent.name} photo={agent.profilePhoto} />
      <h1 className={style['name']}>{agent.name}</h1>
      <Link
        to="/chat/{-$id}"
        params={{ id: agent.handle || agent.id }}
        className={style['anew']}
        aria-label={t('chats.new')}
        title={t('chats.new')}
      >
        <IconEdit size="1.25em" aria-hidden />
      </Link>
    </header>
  );
}
