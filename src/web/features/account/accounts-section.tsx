import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ToolAccount } from '../../../contract/tool.ts';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import { ownAccountsQuery } from '../../queries/people-queries.ts';
import { toast } from '../../toast.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import style from './account.module.css';

/** Accounts at services that agents use for the person; renders nothing if there are none. */
export function AccountsSection() {
  const { data: accounts = [] } = useQuery(ownAccountsQuery());
  const [asking, setAsking] = useState<ToolAccount>();
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: ({ id }: ToolAccount) => laterApi.toolAccount.remove({ id }),
    onSuccess: async () => {
      setAsking(undefined);
      await queries.invalidateQueries(ownAccountsQuery());
      toast.success({ title: t('account.disconnected') });
    },
    meta: { failure: 'deleteAccount' },
  });
  if (accounts.length === 0) return null;
  return (
    <Section title={t('account.services')} lead={t('account.servicesLead')}>
      <ul className={style['rows']}>
        {accounts.map((account) => (
          <li key={account.id} className={style['row']}>
            <span className={style['rowText']}>
              <span className={style['rowName']}>{account.service}</span>
              <span className={style['rowDetail']}>
                {t('account.serviceOf', { tool: account.tool, agent: account.agentName })}
              </span>
            </span>
            <Button
              variant="default"
              size="xs"
              aria-label={t('account.disconnectName', { service: account.service })}
              onClick={() => setAsking(account)}
            >
              {t('account.disconnect')}
            </Button>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        opened={asking !== undefined}
        title={t('account.disconnect')}
        text={t('account.disconnectText')}
        action={t('account.disconnect')}
        busy={end.isPending}
        onConfirm={() => asking && end.mutate(asking)}
        onClose={() => setAsking(undefined)}
      />
    </Section>
  );
}
