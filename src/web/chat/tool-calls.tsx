import { useEffect } from 'react';
import type { MessageToolCall } from '../../contract/chat.ts';
import { ConnectCard } from './connect-card.tsx';
import { useParts } from './conversation-context.ts';
import { FormCard, forgetForm } from './form-card.tsx';
import { t } from './answer-text.ts';
import style from './tool-calls.module.css';
import type { ShownMessage } from './types.ts';
import { useToolActs } from './use-tool-acts.ts';

interface ToolCallsProps {
  message: ShownMessage;
  /** Once something else was said, nobody is asked any more. */
  isLast: boolean;
}

/** An answer's calls to the agent's tools; if one needs the person's decision, it is asked for here. */
export function ToolCalls({ message, isLast }: ToolCallsProps) {
  if (message.toolCalls.length === 0) return null;
  return (
    <ul className={style['calls']} aria-label={t('chat.tools')}>
      {message.toolCalls.map((call) => (
        <li key={call.id}>
          <Call message={message} call={call} isLast={isLast} />
        </li>
      ))}
    </ul>
  );
}

function Call({ message, call, isLast }: ToolCallsProps & { call: MessageToolCall }) {
  const { transport } = useParts();
  // People who only read along see the call but aren't asked.
  if (call.state !== 'waiting' || call.waitsFor === null || !isLast || !transport.again)
    return <Told call={call} />;
  const Card = cards[call.waitsFor];
  return <Card message={message} call={call} />;
}

const cards = { word: Question, account: ConnectCard, form: FormCard };

function Told({ call: { id, tool, summary, state, isRecorded } }: { call: MessageToolCall }) {
  useEffect(() => forgetForm(id), [id]);
  const told = isRecorded ? 'recorded' : state;
  return (
    <p className={style['told']} data-state={state}>
      <span>{summary || tool}</span> <span className={style['state']}>{t(`chat.tool.${told}`)}</span>
    </p>
  );
}

/** Shows the real values in plain words: nothing is sent until the person agrees. */
function Question({ message, call }: { message: ShownMessage; call: MessageToolCall }) {
  const { chat } = useParts();
  const acts = useToolActs();
  const { id, tool, summary, values } = call;
  const canSay = chat.activity === 'idle';
  const decide = (decision: 'allow' | 'deny') => void acts.decide(message, id, decision);
  return (
    <section
      data-asks
      className={style['question']}
      aria-label={t('chat.toolAsks', { summary: summary || tool })}
    >
      <p className={style['summary']}>{t('chat.toolAsks', { summary: summary || tool })}</p>
      <p className={style['state']}>{t('chat.toolOf', { tool })}</p>
      {values.length > 0 && (
        <dl className={style['values']}>
          {values.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <p className={style['buttons']}>
        <button type="button" className={style['allow']} disabled={!canSay} onClick={() => decide('allow')}>
          {t('chat.toolAllow')}
        </button>
        <button type="button" className={style['deny']} disabled={!canSay} onClick={() => decide('deny')}>
          {t('chat.toolDeny')}
        </button>
      </p>
    </section>
  );
}
