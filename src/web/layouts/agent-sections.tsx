import {
  IconAdjustments,
  IconBook2,
  IconBuildingStore,
  IconChartBar,
  IconHome,
  IconMessageQuestion,
  IconPlug,
  IconSettings,
  IconTag,
  IconUsers,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../messages/t.ts';
import { agentQuery } from '../queries/queries.ts';
import style from './side-bar.module.css';

const sections = [
  { to: '/platform/{-$orgId}/agent/$agentId/home', icon: IconHome, title: 'agent.home' },
  { to: '/platform/{-$orgId}/agent/$agentId/knowledge', icon: IconBook2, title: 'knowledge.title' },
  { to: '/platform/{-$orgId}/agent/$agentId/setup', icon: IconAdjustments, title: 'agent.setUpTitle' },
  { to: '/platform/{-$orgId}/agent/$agentId/plugins', icon: IconPlug, title: 'tools.title' },
  { to: '/platform/{-$orgId}/agent/$agentId/pricing-plans', icon: IconTag, title: 'selling.title' },
  { to: '/platform/{-$orgId}/agent/$agentId/storefront', icon: IconBuildingStore, title: 'storefront.title' },
  {
    to: '/platform/{-$orgId}/agent/$agentId/questions',
    icon: IconMessageQuestion,
    title: 'improvement.title',
  },
  { to: '/platform/{-$orgId}/agent/$agentId/users', icon: IconUsers, title: 'endUsers.title' },
  { to: '/platform/{-$orgId}/agent/$agentId/insights', icon: IconChartBar, title: 'insights.title' },
  { to: '/platform/{-$orgId}/agent/$agentId/settings', icon: IconSettings, title: 'settings.title' },
] as const;

interface AgentSectionsProps {
  orgId: string;
  agentId: string;
}

export function AgentSections({ orgId, agentId }: AgentSectionsProps) {
  const { data: agent } = useQuery(agentQuery(orgId, agentId));
  return (
    <>
      <div className={style['heading']}>
        <span className={style['label']}>{agent?.name ?? t('nav.agent')}</span>
      </div>
      {sections.map(({ to, icon: Icon, title }) => (
        <Link key={to} to={to} params={{ orgId, agentId }} className={style['link']}>
          <Icon size="1.25em" aria-hidden />
          <span className={style['label']}>{t(title)}</span>
        </Link>
      ))}
    </>
  );
}
