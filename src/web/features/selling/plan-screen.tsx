import { Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Product } from '../../../contract/product.ts';
import { OfferCard } from '../../chat/shop/offer-card.tsx';
import { adoptSaved, changedIn, showFieldErrors, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { productQuery } from '../../queries/agent-queries.ts';
import { pageOf } from '../../queries/query-props.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { Callout } from '../../ui/callout.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { UnsavedGuard } from '../../forms/unsaved-guard.tsx';
import { useMay } from '../../session/use-role.ts';
import { EndPlan } from './end-plan.tsx';
import { CreditFields, DetailFields, PaymentFields } from './plan-fields.tsx';
import { offerOf, PlanForm, readPlan, valuesOf, type PlanValues } from './plan-values.ts';
import { StateBadge } from './plans-table.tsx';
import { SaleButtons } from './sale-buttons.tsx';
import style from './selling.module.css';
import { useUpdateProduct } from './use-products.ts';
import './messages.ts';

export function PlanScreen() {
  const { pricingPlanId = '' } = useParams({ strict: false });
  const product = useQuery(productQuery(useAgentId(), pricingPlanId));
  return <QueryView {...pageOf(product)}>{(found) => <Plan key={found.id} product={found} />}</QueryView>;
}

/** The plan's fields, beside its appearance to buyers. */
function Plan({ product }: { product: Product }) {
  const mayWrite = useMay(useOrgId(), 'agent.write');
  const form = usePlanForm(product);
  const save = useUpdateProduct(product.id, {
    onRefused: (error) => showFieldErrors(form, error),
  });
  const submit = form.onSubmit((values) => {
    const plan = readPlan(values);
    if (!plan) return;
    save.mutate(changedParts(plan, Object.keys(changedIn(form, values))), {
      onSuccess: (saved) => adoptSaved(form, values, valuesOf(saved.product)),
    });
  });
  return (
    <>
      <form noValidate onSubmit={submit}>
        <UnsavedGuard changed={form.isDirty()} />
        <PageHeader
          title={product.detailsConfig.name}
          lead={<Lead state={product.state} isSaved={save.isSuccess && !form.isDirty()} />}
          actions={
            mayWrite && (
              <Group gap="xs">
                <Button type="submit" variant="default" loading={save.isPending} disabled={!form.isDirty()}>
                  {t('ui.save')}
                </Button>
                <SaleButtons product={product} isUnsaved={form.isDirty()} />
              </Group>
            )
          }
        />
        <div className={style['editor']}>
          <fieldset className={style['fields']} disabled={!mayWrite}>
            <Stack gap="lg">
              {!mayWrite && <Callout>{t('settings.mayNotWrite')}</Callout>}
              <PaymentFields form={form} />
              <CreditFields form={form} />
              <DetailFields form={form} />
            </Stack>
          </fieldset>
          <Preview values={form.values} />
        </div>
      </form>
      {mayWrite && <EndPlan product={product} />}
    </>
  );
}

/** The others aren't sent: a text doesn't bring back the price from before somebody else changed it. */
function changedParts(
  { paymentConfig, detailsConfig }: NonNullable<ReturnType<typeof readPlan>>,
  fields: string[],
) {
  const isDetail = (field: string) => field in detailsConfig;
  return {
    ...(fields.some(isDetail) && { detailsConfig }),
    ...(!fields.every(isDetail) && { paymentConfig }),
  };
}

/** Reported where it changes, so that nothing covers the buttons beside it. */
function Lead({ state, isSaved }: Pick<Product, 'state'> & { isSaved: boolean }) {
  return (
    <span role="status">
      <StateBadge state={state} /> {isSaved && t('ui.saved')}
    </span>
  );
}

function usePlanForm(product: Product) {
  return useValidForm<PlanValues>({
    initial: valuesOf(product),
    schema: PlanForm,
    labels: {
      amount: t('selling.amount'),
      trialDays: t('selling.trialDays'),
      accessDays: t('selling.accessDays'),
      credits: t('selling.credits'),
      creditsAMessage: t('selling.creditsAMessage'),
      creditsAToolCall: t('selling.creditsAToolCall'),
      name: t('selling.name'),
      description: t('selling.description'),
      features: t('selling.features'),
    },
  });
}

function Preview({ values }: { values: PlanValues }) {
  return (
    <section className={style['beside']} aria-labelledby="as-seen">
      <h2 id="as-seen" className={style['subheading']}>
        {t('selling.preview')}
      </h2>
      <OfferCard offer={offerOf(values)} />
    </section>
  );
}
