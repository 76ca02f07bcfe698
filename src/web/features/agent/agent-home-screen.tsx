import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../messages/t.ts';
import { agentQuery, allKnowledgeQuery } from '../../queries.ts';
import { viewOf } from '../../query-props.ts';
import { useAgentId, useOrgId } from '../../route-params.ts';
import { buttonClass } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SetUpSteps } from './set-up-steps.tsx';

/** How far the agent's set-up has come and what to do next. */
export function AgentHomeScreen() {
  const orgId = useOrgId();
  const agentId = useAgentId();
  const agent = useQuery(agentQuery(orgId, agentId));
  const knowledge = useQuery(allKnowledgeQuery(agentId));
  const chatLink = (
    <Link to="/chat/{-$id}" params={{ id: agentId }} className={buttonClass('plain')}>
      {t('agent.chat')}
      <IconExternalLink size="1.15em" aria-hidden />
    </Link>
  );
  return (
    <>
      <PageHeader title={agent.data?.name ?? t('agent.home')} lead={t('agent.homeLead')} actions={chatLink} />
      <QueryView {...viewOf(agent)}>
        {(loaded) => <SetUpSteps orgId={orgId} agent={loaded} knowledge={knowledge.data?.items ?? []} />}
      </QueryView>
    </>
  );
}
