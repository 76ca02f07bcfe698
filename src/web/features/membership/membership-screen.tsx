import { IconRosetteDiscountCheck } from '@tabler/icons-react';
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../messages/t.ts';
import { organizationsQuery } from '../../queries/queries.ts';
import { viewOf } from '../../queries/query-props.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { PlanSection } from './plan-section.tsx';

/** The plan of each of the person's organizations, and this month's usage. */
export function MembershipScreen() {
  const organizations = useQuery(organizationsQuery());
  return (
    <>
      <PageHeader title={t('app.membership')} lead={t('membership.lead')} />
      <QueryView {...viewOf(organizations)} shape="card">
        {(list) =>
          list.length === 0 ? (
            <Notice
              icon={<IconRosetteDiscountCheck size="1.25em" aria-hidden />}
              title={t('membership.none')}
              text={t('membership.noneText')}
              action={
                <Link className={buttonClass('primary')} to="/platform">
                  {t('membership.toPlatform')}
                </Link>
              }
            />
          ) : (
            <Stack gap="lg">
              {list.map(({ id, name }) => (
                <PlanSection key={id} organizationId={id} name={name} />
              ))}
            </Stack>
          )
        }
      </QueryView>
    </>
  );
}
