import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '../../../contract/api-key.ts';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';
import { Badge } from '../../ui/badge.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import style from './api-keys.module.css';

export function ApiKeysTable({ keys }: { keys: readonly ApiKey[] }) {
  return (
    <DataTable
      label={t('apiKeys.title')}
      columns={[t('account.name'), t('apiKeys.scope'), t('apiKeys.lastUsed'), t('apiKeys.made')]}
      actions={t('apiKeys.actions')}
    >
      {keys.map((key) => (
        <tr key={key.id}>
          <Cell kind="main">
            <span className={style['name']}>{key.name}</span>
            <code className={style['preview']}>{key.preview}</code>
          </Cell>
          <Cell>
            <Badge>{t(`apiKeys.scope.${key.scope}`)}</Badge>
          </Cell>
          <Cell kind="faint" label={t('apiKeys.lastUsed')}>
            {key.lastUsedAt ? <TimeAgo at={key.lastUsedAt} /> : t('apiKeys.neverUsed')}
          </Cell>
          <Cell kind="faint" label={t('apiKeys.made')}>
            <TimeAgo at={key.createdAt} />
          </Cell>
          <Cell kind="actions">
            <RevokeKey apiKey={key} />
          </Cell>
        </tr>
      ))}
    </DataTable>
  );
}

function RevokeKey({ apiKey: { id, name, organizationId } }: { apiKey: ApiKey }) {
  const [asking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => laterApi.apiKey.revoke({ id }),
    onSuccess: () => {
      setAsking(false);
      toast.success({ title: t('apiKeys.revoked'), message: name });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['api-keys', organizationId] }),
    meta: { failure: 'deleteApiKey' },
  });
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={t('apiKeys.revokeName', { name })}
        onClick={() => setAsking(true)}
      >
        {t('apiKeys.revoke')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('apiKeys.revokeName', { name })}
        text={t('apiKeys.revokeText')}
        action={t('apiKeys.revoke')}
        busy={revoke.isPending}
        onConfirm={() => revoke.mutate()}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
