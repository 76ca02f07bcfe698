import { IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { EndUser } from '../../../contract/end-user.ts';
import { t } from '../../messages/t.ts';
import { listOf, moreOf } from '../../queries/query-props.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Person } from '../../ui/person.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useServerSearch } from '../../hooks/use-kept-search.ts';
import style from './end-users.module.css';
import './messages.ts';
import { useEndUsers } from './use-end-users.ts';

/** The people who talk with the agent. */
export function UsersScreen() {
  const { search, setSearch, wanted } = useServerSearch();
  const found = useEndUsers(useAgentId(), wanted);
  const isAny = wanted !== '' || found.data?.pages[0]?.users.length !== 0;
  return (
    <div className={style['page']}>
      <PageHeader title={t('endUsers.title')} lead={t('endUsers.lead')} />
      {isAny && <SearchInput label={t('endUsers.search')} value={search} onChange={setSearch} />}
      <QueryView {...listOf(found, ({ users }) => users)}>
        {(users) =>
          users.length === 0 ? (
            <Notice
              icon={<IconUsers size="1.25em" aria-hidden />}
              title={t(wanted === '' ? 'endUsers.none' : 'endUsers.noneFound')}
              text={wanted === '' ? t('endUsers.noneText') : ''}
            />
          ) : (
            <UsersTable users={users} />
          )
        }
      </QueryView>
      <ShowMore {...moreOf(found)} />
    </div>
  );
}

function UsersTable({ users }: { users: readonly EndUser[] }) {
  const orgId = useOrgId();
  const agentId = useAgentId();
  const columns = ['name', 'kind', 'conversations', 'firstSeen', 'lastSeen'] as const;
  return (
    <DataTable label={t('endUsers.title')} columns={columns.map((column) => t(`endUsers.${column}`))}>
      {users.map((user) => (
        <tr key={user.id}>
          <Cell kind="main">
            <Person
              name={user.name}
              photo={user.profilePhoto}
              title={
                <Link
                  to="/platform/{-$orgId}/agent/$agentId/users/$userId"
                  params={{ orgId, agentId, userId: user.id }}
                >
                  {user.name}
                </Link>
              }
            />
          </Cell>
          <Cell label={t('endUsers.kind')}>{t(`endUsers.kind.${user.kind}`)}</Cell>
          <Cell label={t('endUsers.conversations')}>{user.conversations}</Cell>
          <Cell kind="faint" label={t('endUsers.firstSeen')}>
            <TimeAgo at={user.firstSeenAt} />
          </Cell>
          <Cell kind="faint" label={t('endUsers.lastSeen')}>
            <TimeAgo at={user.lastSeenAt} />
          </Cell>
        </tr>
      ))}
    </DataTable>
  );
}
