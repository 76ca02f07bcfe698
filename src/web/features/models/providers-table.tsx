import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ModelProvider } from '../../../contract/model.ts';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import style from './models.module.css';
import { PricesButton } from './prices-dialog.tsx';
import { TestProvider } from './test-provider.tsx';

interface ProvidersTableProps {
  orgId: string;
  providers: readonly ModelProvider[];
  onChange: (provider: ModelProvider) => void;
}

export function ProvidersTable({ orgId, providers, onChange }: ProvidersTableProps) {
  return (
    <DataTable
      label={t('models.title')}
      columns={[t('models.provider'), t('models.names'), t('models.key'), t('models.changed')]}
      actions={t('models.actions')}
    >
      {providers.map((provider) => (
        <tr key={provider.id}>
          <Cell kind="main">
            <span className={style['name']}>{t(`models.provider.${provider.provider}`)}</span>
            {provider.baseUrl && <span className={style['address']}>{provider.baseUrl}</span>}
          </Cell>
          <Cell label={t('models.names')}>
            <span className={style['names']}>{provider.models.join(', ')}</span>
          </Cell>
          <Cell kind="faint" label={t('models.key')}>
            <code className={style['key']}>{provider.apiKeyPreview ?? t('models.noKey')}</code>
          </Cell>
          <Cell kind="faint" label={t('models.changed')}>
            <TimeAgo at={provider.updatedAt} />
          </Cell>
          <Cell kind="actions">
            <div className={style['actions']}>
              <TestProvider settings={settingsOf(orgId, provider)} />
              <Button
                variant="default"
                size="xs"
                aria-label={t('models.changeName', { name: t(`models.provider.${provider.provider}`) })}
                onClick={() => onChange(provider)}
              >
                {t('models.change')}
              </Button>
              <PricesButton orgId={orgId} provider={provider} />
              <RemoveProvider orgId={orgId} provider={provider} />
            </div>
          </Cell>
        </tr>
      ))}
    </DataTable>
  );
}

/** The stored settings, which use the stored key. */
function settingsOf(organizationId: string, { provider, baseUrl, models }: ModelProvider) {
  return { organizationId, provider, baseUrl, models };
}

function RemoveProvider({ orgId, provider: { provider } }: { orgId: string; provider: ModelProvider }) {
  const [asking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const name = t(`models.provider.${provider}`);
  const remove = useMutation({
    mutationFn: () => laterApi.model.removeProvider({ organizationId: orgId, provider }),
    onSuccess: () => {
      setAsking(false);
      toast.success({ title: t('models.removed'), message: name });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['models', orgId] }),
    meta: { failure: 'deleteModelProvider' },
  });
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={t('models.removeName', { name })}
        onClick={() => setAsking(true)}
      >
        {t('models.remove')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('models.removeName', { name })}
        text={t('models.removeText')}
        action={t('models.remove')}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
