import { Button, Stack } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { t } from '../../messages/t.ts';
import { isAddedAbove, viewOf } from '../../queries/query-props.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { Searched } from '../../parts/searched.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useOnce } from '../../hooks/use-once.ts';
import { useMay } from '../../session/use-role.ts';
import { ConnectSection } from './connect-section.tsx';
import { CouponsSection } from './coupons-section.tsx';
import { Earnings } from './earnings.tsx';
import { PlansTable } from './plans-table.tsx';
import { productsQuery, testModeQuery, useCreateProduct } from './use-products.ts';
import './messages.ts';

/** What is for sale of the agent, where the money goes, and what has come in. */
export function PlansScreen() {
  const orgId = useOrgId();
  const agentId = useAgentId();
  const products = useQuery(productsQuery(agentId));
  const { data: isTestMode } = useQuery(testModeQuery(agentId));
  const mayWrite = useMay(orgId, 'agent.write');
  return (
    <>
      <PageHeader
        title={t('selling.title')}
        lead={
          <>
            {isTestMode && <Badge tone="warning">{t('selling.testMode')}</Badge>} {t('selling.lead')}
          </>
        }
        actions={mayWrite && isAddedAbove(products.data, products.error) && <CreateButton />}
      />
      <Stack gap="lg">
        <QueryView {...viewOf(products)}>
          {(found) =>
            found.length === 0 ? (
              <Notice
                icon={<IconTag size="1.25em" aria-hidden />}
                title={t('selling.none')}
                text={t('selling.noneText')}
                action={mayWrite && <CreateButton />}
              />
            ) : (
              <Searched
                items={found}
                nameOf={({ detailsConfig }) => detailsConfig.name}
                label={t('selling.search')}
                none={{ title: t('selling.notFound'), text: t('selling.notFoundText') }}
              >
                {(products) => <PlansTable products={products} />}
              </Searched>
            )
          }
        </QueryView>
        <ConnectSection />
        <CouponsSection />
        {(products.data?.length ?? 0) > 0 && <Earnings agentId={agentId} />}
      </Stack>
    </>
  );
}

function CreateButton() {
  const params = { orgId: useOrgId(), agentId: useAgentId() };
  const navigate = useNavigate();
  const create = useCreateProduct({
    onDone: ({ product }) =>
      navigate({
        to: '/platform/{-$orgId}/agent/$agentId/pricing-plans/$pricingPlanId',
        params: { ...params, pricingPlanId: product.id },
      }),
  });
  const createOnce = useOnce(() => create.mutateAsync());
  return (
    <Button loading={create.isPending} onClick={createOnce}>
      {t('selling.create')}
    </Button>
  );
}
