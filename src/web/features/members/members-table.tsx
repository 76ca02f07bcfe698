import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Member } from '../../../contract/member.ts';
import type { Team } from '../../../contract/team.ts';
import { t } from '../../messages/t.ts';
import { teamsQuery } from '../../queries/people-queries.ts';
import { sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import { Badge } from '../../ui/badge.tsx';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { Person } from '../../ui/person.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import style from './members.module.css';

interface MembersTableProps {
  orgId: string;
  members: readonly Member[];
}

export function MembersTable({ orgId, members }: MembersTableProps) {
  const { data: teams = [] } = useQuery(teamsQuery(orgId));
  return (
    <DataTable
      label={t('members.title')}
      columns={[t('account.name'), t('members.role'), t('teams.title'), t('members.joined')]}
    >
      {members.map((member) => (
        <Row key={member.id} orgId={orgId} member={member} teams={teams} />
      ))}
    </DataTable>
  );
}

function Row({ orgId, member, teams }: { orgId: string; member: Member; teams: readonly Team[] }) {
  const { user } = useStore(sessionState);
  const { id, name, email, username, profilePhoto, role, joinedAt } = member;
  const inTeams = namesOf(member.teams, teams);
  const link = (
    <Link to="/platform/{-$orgId}/account/members/$memberId" params={{ orgId, memberId: id }}>
      {name || t('members.unnamed')}
    </Link>
  );
  return (
    <tr>
      <Cell kind="main">
        <Person
          name={name}
          photo={profilePhoto}
          title={
            <>
              {link} {member.userId === user?.uid && <Badge>{t('members.you')}</Badge>}
            </>
          }
          detail={email ?? username}
        />
      </Cell>
      <Cell>
        <Badge tone={role === 'owner' ? 'accent' : 'neutral'}>{t(`account.role.${role}`)}</Badge>
      </Cell>
      <Cell kind="faint">{inTeams && <span className={style['teams']}>{inTeams}</span>}</Cell>
      <Cell kind="faint" label={t('members.joined')}>
        <TimeAgo at={joinedAt} />
      </Cell>
    </tr>
  );
}

function namesOf(ids: readonly string[], teams: readonly Team[]): string {
  return teams
    .filter(({ id }) => ids.includes(id))
    .map(({ name }) => name)
    .join(', ');
}
