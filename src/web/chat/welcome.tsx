import { Avatar } from '../ui/avatar.tsx';
import style from './conversation.module.css';
import { t } from './text.ts';
import type { ChatAgent } from './types.ts';

interface WelcomeProps {
  agent: ChatAgent;
  onChoose: (text: string) => void;
}

/** Shown before the first message: the agent's introduction and what one could ask. */
export function Welcome({ agent, onChoose }: WelcomeProps) {
  return (
    <div className={style['welcome']}>
      <Avatar name={agent.name} photo={agent.profilePhoto} />
      <h2>{agent.name}</h2>
      {agent.disclosureText && <p>{agent.disclosureText}</p>}
      <p className={style['greeting']}>{agent.welcomeMessage || t('chat.welcome')}</p>
      {agent.conversationStarters.length > 0 && (
        <ul className={style['starters']} aria-label={t('chat.starters')}>
          {agent.conversationStarters.map((starter) => (
            <li key={starter}>
              <button type="button" onClick={() => onChoose(starter)}>
                {starter}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
