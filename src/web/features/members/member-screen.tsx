import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Member } from '../../../contract/member.ts';
import { formatExactTime } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { memberQuery } from '../../queries/people-queries.ts';
import { Permitted } from '../../session/permitted.tsx';
import { pageOf } from '../../queries/query-props.ts';
import { useMemberId, useOrgId } from '../../routing/route-params.ts';
import { sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import { Callout } from '../../ui/callout.tsx';
import { Card } from '../../ui/card.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Person } from '../../ui/person.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useMay } from '../../session/use-role.ts';
import { MemberForm } from './member-form.tsx';
import style from './members.module.css';
import { RemoveMember } from './remove-member.tsx';

export function MemberScreen() {
  return (
    <Permitted permission="organization.read" title={t('members.member')}>
      <Found />
    </Permitted>
  );
}

function Found() {
  const orgId = useOrgId();
  const member = useQuery(memberQuery(orgId, useMemberId()));
  return (
    <QueryView {...pageOf(member)} shape="form" titled>
      {(found) => <Content orgId={orgId} member={found} />}
    </QueryView>
  );
}

function Content({ orgId, member }: { orgId: string; member: Member }) {
  const { user } = useStore(sessionState);
  const { name, email, username, profilePhoto, role, joinedAt } = member;
  const isSelf = member.userId === user?.uid;
  const mayManage = useMay(orgId, 'organization.manage');
  const mayChange = mayManage && role !== 'owner' && !isSelf;
  return (
    <>
      <PageHeader title={<Person name={name} photo={profilePhoto} />} lead={email ?? username} />
      <Stack gap="lg">
        <Card kind="form">
          <Facts>
            <Fact name={t('members.role')}>
              {t(`account.role.${role}`)}
              <span className={style['hint']}>{t(`account.roleText.${role}`)}</span>
            </Fact>
            <Fact name={t('members.joined')}>{formatExactTime(joinedAt)}</Fact>
          </Facts>
        </Card>
        {mayManage && !mayChange && <Callout>{isSelf ? t('members.isSelf') : t('members.isOwner')}</Callout>}
        {mayChange && <MemberForm key={member.id} orgId={orgId} member={member} />}
        {mayChange && <RemoveMember orgId={orgId} member={member} />}
      </Stack>
    </>
  );
}
