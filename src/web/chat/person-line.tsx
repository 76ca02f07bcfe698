import { useParts } from './conversation-context.ts';
import style from './conversation.module.css';
import { TextButton } from '../ui/text-button.tsx';
import { t } from './answer-text.ts';
import { usePersonActs } from './use-person-acts.ts';

/** Who answers here, with ways to get a person and to go back to the agent. */
export function PersonLine() {
  const { agent, chat, transport } = useParts();
  const { askPerson, leavePerson } = usePersonActs();
  const { handling, messages, notice } = chat;
  if (!transport.person) return null;
  if (handling === 'bot')
    return messages.every(({ id }) => id === null) ? null : (
      <li className={style['centred']} data-unprinted>
        <TextButton text={t('chat.askPerson')} onClick={() => void askPerson()} />
      </li>
    );
  const speaker = messages.findLast(({ role, author }) => role === 'operator' && author)?.author?.name;
  return (
    <li className={style['handling']}>
      <span role="status">
        {handling === 'waiting' && (notice || t('chat.personAsked'))}
        {handling === 'human' && (speaker ? t('chat.personNamed', { name: speaker }) : t('chat.personHere'))}
        {handling === 'closed' && t('chat.conversationClosed')}
      </span>{' '}
      {handling === 'waiting' && (
        <TextButton
          text={t('chat.goOnWithAgent', { agent: agent.name })}
          onClick={() => void leavePerson()}
        />
      )}
    </li>
  );
}
