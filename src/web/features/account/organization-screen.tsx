import { useQuery } from '@tanstack/react-query';
import { t } from '../../messages/t.ts';
import { organizationQuery, roleQuery } from '../../queries.ts';
import { viewOf } from '../../query-props.ts';
import { useOrgId } from '../../route-params.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import style from './account.module.css';

export function OrganizationScreen() {
  const orgId = useOrgId();
  const organization = useQuery(organizationQuery(orgId));
  const { data: role } = useQuery(roleQuery(orgId));
  return (
    <>
      <PageHeader title={t('account.organization')} />
      <QueryView {...viewOf(organization)} shape="card">
        {({ id, name, profilePhoto }) => (
          <Card kind="form">
            <p className={style['organization']}>
              <Avatar name={name} photo={profilePhoto} />
              {name}
            </p>
            <dl className={style['facts']}>
              <dt>{t('account.role')}</dt>
              <dd>{role && t(`account.role.${role}`)}</dd>
              <dt>{t('account.id')}</dt>
              <dd>{id}</dd>
            </dl>
          </Card>
        )}
      </QueryView>
    </>
  );
}
