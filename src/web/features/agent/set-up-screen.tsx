import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../messages/t.ts';
import { allKnowledgeQuery } from '../../queries/agent-queries.ts';
import { agentQuery } from '../../queries/queries.ts';
import { viewOf } from '../../queries/query-props.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import style from './agent-home.module.css';
import { FurtherSteps, SetUpSteps } from './set-up-steps.tsx';

/** Everything that can be set up, in a sensible order, and what of it is done. */
export function SetUpScreen() {
  const orgId = useOrgId();
  const agentId = useAgentId();
  const agent = useQuery(agentQuery(orgId, agentId));
  const knowledge = useQuery(allKnowledgeQuery(agentId));
  return (
    <>
      <PageHeader title={t('agent.setUpTitle')} lead={t('agent.setUpLead')} />
      <QueryView {...viewOf(agent)}>
        {(loaded) => (
          <Stack gap="xl">
            <section aria-labelledby="first">
              <h2 id="first" className={style['title']}>
                {t('agent.setUpFirst')}
              </h2>
              <SetUpSteps orgId={orgId} agent={loaded} knowledge={knowledge.data?.items ?? []} />
            </section>
            <section aria-labelledby="further">
              <h2 id="further" className={style['title']}>
                {t('agent.setUpFurther')}
              </h2>
              <FurtherSteps orgId={orgId} agent={loaded} />
            </section>
          </Stack>
        )}
      </QueryView>
    </>
  );
}
