import { Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Member } from '../../../contract/member.ts';
import { t } from '../../messages/t.ts';
import { membersQuery } from '../../queries/people-queries.ts';
import { Permitted } from '../../session/permitted.tsx';
import { viewOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { useKeptSearch } from '../../hooks/use-kept-search.ts';
import { useMay } from '../../session/use-role.ts';
import { InviteList } from './invite-list.tsx';
import { MembersTable } from './members-table.tsx';

/** The organization's members, and those invited. */
export function MembersScreen() {
  const orgId = useOrgId();
  const title = t('members.title');
  return (
    <Permitted permission="organization.read" title={title}>
      <Content orgId={orgId} title={title} />
    </Permitted>
  );
}

function Content({ orgId, title }: { orgId: string; title: string }) {
  const mayManage = useMay(orgId, 'organization.manage');
  const [search, setSearch] = useKeptSearch();
  return (
    <>
      <PageHeader
        title={title}
        lead={t('members.lead')}
        actions={
          mayManage && (
            <Link
              to="/platform/{-$orgId}/account/members/invite"
              params={{ orgId }}
              className={buttonClass('primary')}
            >
              <IconPlus size="1.15em" aria-hidden />
              {t('members.invite')}
            </Link>
          )
        }
      />
      <Stack gap="xl">
        <Members orgId={orgId} search={search} onSearch={setSearch} />
        {mayManage && <InviteList orgId={orgId} search={search} />}
      </Stack>
    </>
  );
}

interface MembersProps {
  orgId: string;
  search: string;
  onSearch: (search: string) => void;
}

function Members({ orgId, search, onSearch }: MembersProps) {
  const members = useQuery(membersQuery(orgId));
  return (
    <QueryView {...viewOf(members)}>
      {(list) => {
        const found = list.filter((member) => matches(member, search));
        return (
          <Stack>
            <SearchInput label={t('members.search')} value={search} onChange={onSearch} />
            {found.length > 0 ? (
              <MembersTable orgId={orgId} members={found} />
            ) : (
              <Notice title={t('members.notFound')} text={t('members.notFoundText')} />
            )}
          </Stack>
        );
      }}
    </QueryView>
  );
}

function matches({ name, email, username }: Member, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return [name, email, username].some((text) => text?.toLowerCase().includes(wanted));
}
