import { Link } from '@tanstack/react-router';
import type { Chatbot } from '../../../contract/chatbot.ts';
import { t } from '../../messages/t.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import style from './agents.module.css';

interface AgentCardProps {
  orgId: string;
  agent: Chatbot;
}

export function AgentCard({ orgId, agent }: AgentCardProps) {
  return (
    <li>
      <Link
        to="/platform/{-$orgId}/agent/$agentId/home"
        params={{ orgId, agentId: agent.id }}
        className={style['card']}
      >
        <span className={style['name']}>
          <Avatar name={agent.name} photo={agent.profilePhoto} />
          <span>{agent.name}</span>
        </span>
        <span className={style['facts']}>
          <Badge tone={agent.isPublic ? 'good' : 'neutral'}>
            {agent.isPublic ? t('agents.public') : t('agents.private')}
          </Badge>
          <span>
            {t('agents.changed')} <TimeAgo at={agent.updatedAt} />
          </span>
        </span>
      </Link>
    </li>
  );
}
