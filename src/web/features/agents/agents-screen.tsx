import { Stack } from '@mantine/core';
import { IconPlus, IconRobot } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { Chatbot } from '../../../contract/chatbot.ts';
import { FirstStepsCard } from '../../parts/first-steps.tsx';
import { t } from '../../messages/t.ts';
import { agentsQuery } from '../../queries/queries.ts';
import { isAddedAbove, viewOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useKeptSearch } from '../../hooks/use-kept-search.ts';
import { useMay } from '../../session/use-role.ts';
import { AgentCard } from './agent-card.tsx';
import { ImportAgent } from './import-agent.tsx';
import style from './agents.module.css';
import { later } from '../../ui/later.ts';

// Most organizations have few agents, and their first page doesn't need it.
const SearchInput = later(async () => (await import('../../ui/search-input.tsx')).SearchInput);

/** More agents than this get a search field. */
const SEEN_AT_ONCE = 12;

export function AgentsScreen() {
  const orgId = useOrgId();
  const agents = useQuery(agentsQuery(orgId));
  const mayWrite = useMay(orgId, 'agent.write');
  const create = mayWrite && (
    <>
      <ImportAgent orgId={orgId} />
      <CreateLink orgId={orgId} />
    </>
  );
  return (
    <>
      <PageHeader
        title={t('nav.agents')}
        lead={t('agents.lead')}
        actions={isAddedAbove(agents.data, agents.error) && create}
      />
      {mayWrite && <FirstStepsCard orgId={orgId} />}
      <QueryView {...viewOf(agents)} shape="card">
        {(list) =>
          list.length === 0 ? (
            <Notice
              icon={<IconRobot size="1.25em" aria-hidden />}
              title={t('agents.none')}
              text={t('agents.noneText')}
              action={create}
            />
          ) : (
            <Cards orgId={orgId} agents={list} />
          )
        }
      </QueryView>
      {mayWrite && (
        <p className={style['trash']}>
          <Link to="/platform/{-$orgId}/agent/trash" params={{ orgId }}>
            {t('keeping.trash')}
          </Link>
        </p>
      )}
    </>
  );
}

function Cards({ orgId, agents }: { orgId: string; agents: readonly Chatbot[] }) {
  const [search, setSearch] = useKeptSearch();
  const wanted = search.trim().toLowerCase();
  const found = agents.filter(({ name, handle }) => `${name}\n${handle}`.toLowerCase().includes(wanted));
  return (
    <Stack>
      {agents.length > SEEN_AT_ONCE && (
        <Suspense fallback={<div className={style['search']} />}>
          <SearchInput label={t('agents.search')} value={search} onChange={setSearch} />
        </Suspense>
      )}
      {found.length > 0 ? (
        <ul className={style['grid']}>
          {found.map((agent) => (
            <AgentCard key={agent.id} orgId={orgId} agent={agent} />
          ))}
        </ul>
      ) : (
        <Notice title={t('agents.notFound')} text={t('agents.notFoundText')} />
      )}
    </Stack>
  );
}

function CreateLink({ orgId }: { orgId: string }) {
  return (
    <Link to="/platform/{-$orgId}/agent/create" params={{ orgId }} className={buttonClass('primary')}>
      <IconPlus size="1.15em" aria-hidden />
      {t('agents.create')}
    </Link>
  );
}
