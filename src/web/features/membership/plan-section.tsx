import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usageQuery } from '../../queries/billing-queries.ts';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../queries/query-props.ts';
import { buttonClass } from '../../ui/button.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Section } from '../../ui/section.tsx';
import { UsageMeters } from '../../parts/usage-meters.tsx';
import { useMay } from '../../session/use-role.ts';

/** One organization's plan. */
export function PlanSection({ organizationId, name }: { organizationId: string; name: string }) {
  const usage = useQuery(usageQuery(organizationId));
  const isOwner = useMay(organizationId, 'organization.own');
  return (
    <QueryView {...viewOf(usage)} shape="line">
      {(found) => (
        <Section
          title={name}
          lead={found.plan === null ? t('billing.unlimited') : t(`plan.${found.planType}`)}
        >
          <Stack>
            <UsageMeters usage={found} />
            {isOwner && found.plan !== null && (
              <div>
                <Link
                  className={buttonClass('plain')}
                  to="/platform/{-$orgId}/account/billing"
                  params={{ orgId: organizationId }}
                >
                  {t('membership.toBilling')}
                </Link>
              </div>
            )}
          </Stack>
        </Section>
      )}
    </QueryView>
  );
}
