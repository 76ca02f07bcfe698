import { IconList, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../messages/t.ts';
import { agentsQuery } from '../queries/queries.ts';
import { Avatar } from '../ui/avatar.tsx';
import { useMay } from '../session/use-role.ts';
import style from './side-bar.module.css';

/** More than this are on the list's own page. */
const SHOWN_MAX = 6;

export function AgentLinks({ orgId }: { orgId: string }) {
  const { data: agents = [] } = useQuery(agentsQuery(orgId));
  const mayWrite = useMay(orgId, 'agent.write');
  return (
    <>
      <div className={style['heading']}>
        {t('nav.agents')}
        {mayWrite && (
          <Link
            to="/platform/{-$orgId}/agent/create"
            params={{ orgId }}
            className={style['add']}
            aria-label={t('agents.create')}
          >
            <IconPlus size="1.25em" aria-hidden />
          </Link>
        )}
      </div>
      <Link
        to="/platform/{-$orgId}/agent"
        params={{ orgId }}
        className={style['link']}
        activeOptions={{ exact: true }}
      >
        <IconList size="1.25em" aria-hidden />
        <span className={style['label']}>{t('nav.allAgents')}</span>
      </Link>
      {agents.slice(0, SHOWN_MAX).map(({ id, name, profilePhoto }) => (
        <Link
          key={id}
          to="/platform/{-$orgId}/agent/$agentId/home"
          params={{ orgId, agentId: id }}
          className={style['link']}
        >
          <Avatar name={name} photo={profilePhoto} />
          <span className={style['label']}>{name}</span>
        </Link>
      ))}
    </>
  );
}
