import { IconMessageCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { AgentChat } from '../../transport/agent-chat.tsx';
import { t } from '../../messages/t.ts';
import { publicAgentQuery } from '../../queries/queries.ts';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import style from './front.module.css';
import './messages.ts';

/** The agent that knows this product's own guides, if the installation has it. */
const DEMO_HANDLE = 'parley';

export function Demo() {
  const { data: agent, isPending } = useQuery({
    ...publicAgentQuery(DEMO_HANDLE),
    retry: false,
    meta: { quiet: true },
  });
  return (
    <section className={style['demo']} data-empty={!agent && !isPending} aria-label={t('front.demo')}>
      {agent && <p className={style['caption']}>{t('front.live')}</p>}
      {agent && <AgentChat agent={agent} conversationId={null} />}
      {isPending && (
        <div className={style['waiting']}>
          <Skeleton shape="line" />
        </div>
      )}
      {!agent && !isPending && (
        <div className={style['waiting']}>
          <Notice
            bare
            icon={<IconMessageCircle size="1.25em" aria-hidden />}
            title={t('front.noDemo')}
            text={t('front.noDemoText')}
          />
        </div>
      )}
    </section>
  );
}
