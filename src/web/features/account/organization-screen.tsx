import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Role } from '../../../contract/access.ts';
import { may } from '../../../contract/access.ts';
import type { Organization } from '../../../contract/organization.ts';
import { t } from '../../messages/t.ts';
import { organizationQuery, roleQuery } from '../../queries/queries.ts';
import { viewOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Person } from '../../ui/person.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import style from './account.module.css';
import { DeleteSection } from './delete-section.tsx';
import { LeaveSection } from './leave-section.tsx';
import { TransferSection } from './transfer-section.tsx';

/** `data`: everything the organization has, for people allowed to export it. */
export function OrganizationScreen({ data }: { data: ReactNode }) {
  const orgId = useOrgId();
  const organization = useQuery(organizationQuery(orgId));
  const role = useQuery(roleQuery(orgId));
  const mayManage = role.data !== undefined && may(role.data, 'organization.manage');
  return (
    <>
      <PageHeader
        title={t('account.organization')}
        actions={
          mayManage && (
            <Link
              to="/platform/{-$orgId}/account/organization/edit"
              params={{ orgId }}
              className={buttonClass('plain')}
            >
              {t('account.edit')}
            </Link>
          )
        }
      />
      <QueryView {...viewOf(organization)} shape="card">
        {(found) => (
          <QueryView {...viewOf(role)} shape="card">
            {(known) => <Content organization={found} role={known} data={data} />}
          </QueryView>
        )}
      </QueryView>
    </>
  );
}

function Content({ organization, role, data }: { organization: Organization; role: Role; data: ReactNode }) {
  const { id, name, profilePhoto } = organization;
  return (
    <Stack gap="lg">
      <Card kind="form">
        <div className={style['organization']}>
          <Person round={false} name={name} photo={profilePhoto} />
        </div>
        <Facts>
          <Fact name={t('account.role')}>
            {t(`account.role.${role}`)}
            <span className={style['hint']}>{t(`account.roleText.${role}`)}</span>
          </Fact>
          <Fact name={t('account.id')}>{id}</Fact>
        </Facts>
      </Card>
      {data}
      {may(role, 'organization.own') && <TransferSection organization={organization} />}
      <LeaveSection organization={organization} role={role} />
      {may(role, 'organization.own') && <DeleteSection organization={organization} />}
    </Stack>
  );
}
