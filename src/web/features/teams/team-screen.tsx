import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Team } from '../../../contract/team.ts';
import { t } from '../../messages/t.ts';
import { membersQuery, teamQuery } from '../../queries/people-queries.ts';
import { Permitted } from '../../session/permitted.tsx';
import { agentsQuery } from '../../queries/queries.ts';
import { pageOf, viewOf } from '../../queries/query-props.ts';
import { useOrgId, useTeamId } from '../../routing/route-params.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useMay } from '../../session/use-role.ts';
import { DeleteTeam } from './delete-team.tsx';
import { TeamForm } from './team-form.tsx';

export function TeamScreen() {
  return (
    <Permitted permission="organization.read" title={t('teams.team')}>
      <Found />
    </Permitted>
  );
}

function Found() {
  const orgId = useOrgId();
  const team = useQuery(teamQuery(orgId, useTeamId()));
  return (
    <QueryView {...pageOf(team)} shape="form" titled>
      {(found) => <Content orgId={orgId} team={found} />}
    </QueryView>
  );
}

function Content({ orgId, team }: { orgId: string; team: Team }) {
  const members = useQuery(membersQuery(orgId));
  const agents = useQuery(agentsQuery(orgId));
  const mayManage = useMay(orgId, 'organization.manage');
  return (
    <>
      <PageHeader title={team.name} lead={t('teams.teamLead')} />
      <Stack gap="lg">
        <QueryView {...viewOf(members)} shape="card">
          {(people) => (
            <QueryView {...viewOf(agents)} shape="card">
              {(bots) => (
                <TeamForm key={team.id} team={team} members={people} agents={bots} locked={!mayManage} />
              )}
            </QueryView>
          )}
        </QueryView>
        {mayManage && <DeleteTeam orgId={orgId} team={team} />}
      </Stack>
    </>
  );
}
