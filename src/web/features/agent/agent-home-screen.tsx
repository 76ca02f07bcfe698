import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Chatbot } from '../../../contract/chatbot.ts';
import type { ListedKnowledge } from '../../../contract/knowledge.ts';
import { t } from '../../messages/t.ts';
import { allKnowledgeQuery } from '../../queries/agent-queries.ts';
import { agentQuery } from '../../queries/queries.ts';
import { viewOf } from '../../queries/query-props.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { buttonClass } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import style from './agent-home.module.css';
import { Attention } from './attention.tsx';
import { SetUpSteps } from './set-up-steps.tsx';
import { WeekNumbers } from './week-numbers.tsx';

/** The agent's setup progress, the week's numbers, and what needs attention. */
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
        {(loaded) => <Home orgId={orgId} agent={loaded} knowledge={knowledge.data?.items ?? []} />}
      </QueryView>
    </>
  );
}

interface HomeProps {
  orgId: string;
  agent: Chatbot;
  knowledge: readonly ListedKnowledge[];
}

/** Setup comes first until it is complete. */
function Home({ orgId, agent, knowledge }: HomeProps) {
  const setUp = (
    <section aria-labelledby="set-up">
      <h2 id="set-up" className={style['title']}>
        {t('agent.setUp')}
      </h2>
      <SetUpSteps orgId={orgId} agent={agent} knowledge={knowledge} />
    </section>
  );
  const isNew = knowledge.length === 0 || agent.customInstructions.trim() === '';
  return (
    <div className={style['home']}>
      {isNew && setUp}
      <Attention orgId={orgId} agent={agent} knowledge={knowledge} />
      <WeekNumbers orgId={orgId} agentId={agent.id} />
      {!isNew && setUp}
    </div>
  );
}
