import { Button, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Product } from '../../../contract/product.ts';
import { t } from '../../messages/t.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { toast } from '../../toast.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import style from './selling.module.css';
import { useRemoveProduct, useUpdateProduct } from './use-products.ts';

/** Archives or deletes the plan. */
export function EndPlan({ product: { id, state, detailsConfig } }: { product: Product }) {
  const params = { orgId: useOrgId(), agentId: useAgentId() };
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const archive = useUpdateProduct(id, {
    onDone: () => toast.success({ title: t('selling.archived'), message: t('selling.archiveText') }),
  });
  const remove = useRemoveProduct(() => {
    toast.success({ title: t('selling.deleted') });
    return navigate({
      to: '/platform/{-$orgId}/agent/$agentId/pricing-plans',
      params,
      ignoreBlocker: true,
    });
  });
  return (
    <div className={style['end']}>
      <Section title={t('selling.end')} lead={t('selling.endText')}>
        <Group gap="xs">
          {state !== 'archived' && (
            <Button
              variant="default"
              loading={archive.isPending}
              onClick={() => archive.mutate({ state: 'archived' })}
            >
              {t('selling.archive')}
            </Button>
          )}
          <Button color="danger" variant="default" onClick={() => setAsking(true)}>
            {t('selling.delete')}
          </Button>
        </Group>
      </Section>
      <ConfirmDialog
        opened={asking}
        title={t('selling.delete')}
        text={t('selling.endText')}
        action={t('selling.delete')}
        typedName={detailsConfig.name}
        busy={remove.isPending}
        onConfirm={() => remove.mutate(id)}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
