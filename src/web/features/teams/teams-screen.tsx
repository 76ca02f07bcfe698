import { Button } from '@mantine/core';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Team } from '../../../contract/team.ts';
import { t } from '../../messages/t.ts';
import { teamsQuery } from '../../queries/people-queries.ts';
import { Permitted } from '../../session/permitted.tsx';
import { isAddedAbove, viewOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { Searched } from '../../parts/searched.tsx';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Person } from '../../ui/person.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useMay } from '../../session/use-role.ts';
import { CreateTeam } from './create-team.tsx';

/** Groups of members and agents: only its members see a team's agents. */
export function TeamsScreen() {
  return (
    <Permitted permission="organization.read" title={t('teams.title')}>
      <Teams orgId={useOrgId()} />
    </Permitted>
  );
}

function Teams({ orgId }: { orgId: string }) {
  const [creating, setCreating] = useState(false);
  const teams = useQuery(teamsQuery(orgId));
  const create = useMay(orgId, 'organization.manage') && (
    <Button leftSection={<IconPlus size="1.15em" aria-hidden />} onClick={() => setCreating(true)}>
      {t('teams.create')}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t('teams.title')}
        lead={t('teams.lead')}
        actions={isAddedAbove(teams.data, teams.error) && create}
      />
      <QueryView {...viewOf(teams)}>
        {(list) =>
          list.length === 0 ? (
            <Notice
              icon={<IconUsersGroup size="1.25em" aria-hidden />}
              title={t('teams.none')}
              text={t('teams.noneText')}
              action={create}
            />
          ) : (
            <Searched
              items={list}
              nameOf={({ name }) => name}
              label={t('teams.search')}
              none={{ title: t('teams.notFound'), text: t('teams.notFoundText') }}
            >
              {(teams) => <TeamsTable orgId={orgId} teams={teams} />}
            </Searched>
          )
        }
      </QueryView>
      <CreateTeam orgId={orgId} opened={creating} onClose={() => setCreating(false)} />
    </>
  );
}

function TeamsTable({ orgId, teams }: { orgId: string; teams: readonly Team[] }) {
  return (
    <DataTable label={t('teams.title')} columns={[t('account.name'), t('members.title'), t('nav.agents')]}>
      {teams.map(({ id, name, members, agents }) => (
        <tr key={id}>
          <Cell kind="main">
            <Person
              round={false}
              name={name}
              photo=""
              title={
                <Link to="/platform/{-$orgId}/account/teams/$teamId" params={{ orgId, teamId: id }}>
                  {name}
                </Link>
              }
            />
          </Cell>
          <Cell kind="faint">{t('teams.members#', { count: members.length })}</Cell>
          <Cell kind="faint">{t('teams.agents#', { count: agents.length })}</Cell>
        </tr>
      ))}
    </DataTable>
  );
}
