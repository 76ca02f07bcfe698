import { IconInbox } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../messages/t.ts';
import { waitingQuery } from '../queries/queries.ts';
import style from './side-bar.module.css';

/** The inbox, with the number of waiting conversations. */
export function InboxLink({ orgId }: { orgId: string }) {
  const { data: waiting = 0 } = useQuery(waitingQuery(orgId));
  return (
    <Link to="/platform/{-$orgId}/inbox" params={{ orgId }} className={style['link']}>
      <IconInbox size="1.25em" aria-hidden />
      <span className={style['label']}>{t('inbox.title')}</span>
      {waiting > 0 && (
        <span className={style['count']} aria-label={t('inbox.waitingCount', { count: waiting })}>
          {waiting}
        </span>
      )}
    </Link>
  );
}
