import type { Conversation } from '../../../contract/chat.ts';
import { t } from '../../messages/t.ts';
import { TimeAgo } from '../../ui/time-ago.tsx';
import style from './chat.module.css';

/** The conversation's agent and the time of the last message, which is never truncated, however long the name. */
export function EntryDetail({ conversation: { kind, agent, updatedAt } }: { conversation: Conversation }) {
  return (
    <span className={style['entryDetail']}>
      <span className={style['entryAgent']}>
        {kind === 'game' && `${t('chats.room')}, `}
        {agent.name}
      </span>
      <span>
        {' · '}
        <TimeAgo at={updatedAt} />
      </span>
    </span>
  );
}
