import { useQuery } from '@tanstack/react-query';
import type { Week } from '../../../contract/chatbot.ts';
import { formatNumber, formatShare } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { weekQuery } from '../../queries/agent-queries.ts';
import { viewOf } from '../../queries/query-props.ts';
import { QueryView } from '../../ui/query-view.tsx';
import style from './agent-home.module.css';

interface WeekNumbersProps {
  orgId: string;
  agentId: string;
}

/** The week's key numbers, each compared with the week before. */
export function WeekNumbers({ orgId, agentId }: WeekNumbersProps) {
  const found = useQuery(weekQuery(orgId, agentId));
  return (
    <section aria-labelledby="week">
      <h2 id="week" className={style['title']}>
        {t('agent.week')}
      </h2>
      <QueryView {...viewOf(found)} shape="card">
        {({ week, before }) => (
          <dl className={style['numbers']}>
            {(['conversations', 'people', 'questions'] as const).map((name) => (
              <Figure key={name} title={t(`agent.${name}`)} detail={change(week[name], before[name])}>
                {formatNumber(week[name])}
              </Figure>
            ))}
            <Figure title={t('agent.answeredShare')} detail={t('agent.before', { share: shareOf(before) })}>
              {shareOf(week)}
            </Figure>
          </dl>
        )}
      </QueryView>
    </section>
  );
}

function Figure({ title, detail, children }: { title: string; detail: string; children: string }) {
  return (
    <div className={style['figure']}>
      <dt>{title}</dt>
      <dd>
        <span className={style['number']}>{children}</span>
        <span className={style['detail']}>{detail}</span>
      </dd>
    </div>
  );
}

function change(now: number, before: number): string {
  if (now === before) return t('agent.same');
  const number = formatNumber(Math.abs(now - before));
  return t('agent.than', {
    change: now > before ? t('agent.more', { number }) : t('agent.fewer', { number }),
  });
}

function shareOf({ answerRate }: Week): string {
  return answerRate === null ? t('agent.noNumber') : formatShare(answerRate);
}
