import { Button, SegmentedControl, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { KnowledgeSchedule } from '../../../contract/knowledge.ts';
import { useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { UnsavedGuard } from '../../forms/unsaved-guard.tsx';
import { readLinks } from './lines.ts';
import { linksField } from './links-input.ts';
import { usePlanSchedules } from './plan-schedules.ts';
import { ScheduleField } from './site-fields.tsx';
import { showItemErrors } from './show-item-errors.ts';
import { checkTexts, textField } from './text-fields.ts';
import { useAddKnowledge } from './use-add-knowledge.ts';

type By = 'links' | 'description';

/** Products, by their sales pages or as text. */
export function AddProductsScreen() {
  const schedules = usePlanSchedules();
  return (
    <>
      <PageHeader title={t('knowledge.addProducts')} lead={t('knowledge.addProductsText')} />
      <Card kind="form">
        {schedules ? <ProductsForm schedule={schedules.preset} /> : <Skeleton shape="form" />}
      </Card>
    </>
  );
}

function ProductsForm({ schedule: preset }: { schedule: KnowledgeSchedule }) {
  const [by, setBy] = useState<By>('links');
  const form = useProductForm(by, preset);
  const add = useAddKnowledge((error) => showItemErrors(form, error));
  const submit = form.onSubmit(({ links, description, schedule }) =>
    add.mutate({
      item:
        by === 'links'
          ? { type: 'product', links: readLinks(links) ?? [], schedule }
          : { type: 'product', description },
    }),
  );
  return (
    <form noValidate onSubmit={submit}>
      <UnsavedGuard changed={form.isDirty() && !add.isPending && !add.isSuccess} />
      <Stack>
        <div>
          <SegmentedControl
            aria-label={t('knowledge.productsBy')}
            value={by}
            onChange={setBy}
            data={[
              { value: 'links', label: t('knowledge.byLinks') },
              { value: 'description', label: t('knowledge.byDescription') },
            ]}
          />
        </div>
        <ProductFields by={by} form={form} />
        <div>
          <Button type="submit" loading={add.isPending}>
            {t('knowledge.add')}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

function ProductFields({ by, form }: { by: By; form: ReturnType<typeof useProductForm> }) {
  if (by === 'description')
    return (
      <Textarea
        label={t('knowledge.productDescription')}
        description={t('knowledge.productDescriptionHint')}
        {...textField}
        {...form.getInputProps('description')}
      />
    );
  return (
    <>
      <Textarea
        label={t('knowledge.addresses')}
        description={t('knowledge.productLinksHint')}
        placeholder="https://example.com/lamp"
        {...linksField}
        {...form.getInputProps('links')}
      />
      <ScheduleField input={form.getInputProps} />
    </>
  );
}

interface ProductValues extends Record<string, unknown> {
  links: string;
  description: string;
  schedule: KnowledgeSchedule;
}

function useProductForm(by: By, schedule: KnowledgeSchedule) {
  const labels = {
    links: t('knowledge.addresses'),
    description: t('knowledge.productDescription'),
    schedule: t('knowledge.readsAgain'),
  };
  return useValidForm<ProductValues>({
    initial: { links: '', description: '', schedule },
    labels,
    check: (values): Record<string, string> => {
      if (by === 'description')
        return checkTexts({ description: values.description }, { description: labels.description });
      return readLinks(values.links)?.length ? {} : { links: t('knowledge.linksWrong') };
    },
  });
}
