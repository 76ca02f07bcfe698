import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PlanSubscription } from '../../../contract/billing.ts';
import { subscriptionQuery, usageQuery } from '../../queries/billing-queries.ts';
import { t } from '../../messages/t.ts';
import { Permitted } from '../../session/permitted.tsx';
import { viewOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { Callout } from '../../ui/callout.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Section } from '../../ui/section.tsx';
import { UsageMeters } from '../../parts/usage-meters.tsx';
import { InvoicesSection } from './invoices-section.tsx';
import { PlanCards } from './plan-cards.tsx';
import { PlanNow } from './plan-now.tsx';
import { StopSection } from './stop-section.tsx';

/** The organization's plan: what it is, its usage, its payment and changing it. */
export function BillingScreen() {
  return (
    <Permitted permission="organization.own" title={t('billing.title')}>
      <PageHeader title={t('billing.title')} lead={t('billing.lead')} />
      <Billing />
    </Permitted>
  );
}

function Billing() {
  const organizationId = useOrgId();
  const subscription = useQuery(subscriptionQuery(organizationId));
  const usage = useQuery(usageQuery(organizationId));
  return (
    <QueryView {...viewOf(subscription)} shape="card">
      {(found) => (
        <Stack gap="lg">
          <PlanNow organizationId={organizationId} subscription={found} />
          <Section title={t('billing.usage')} lead={t('billing.usageText')}>
            <QueryView {...viewOf(usage)} shape="line">
              {(used) => <UsageMeters usage={used} />}
            </QueryView>
          </Section>
          {found.isLimited ? (
            <Limited organizationId={organizationId} subscription={found} />
          ) : (
            <Callout>{t('billing.unlimited')}</Callout>
          )}
        </Stack>
      )}
    </QueryView>
  );
}

function Limited(props: { organizationId: string; subscription: PlanSubscription }) {
  return (
    <>
      <PlanCards {...props} />
      <StopSection {...props} />
      <InvoicesSection invoices={props.subscription.invoices} />
    </>
  );
}
