import { NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { insightLink as calls } from '../../../contract/insight.ts';
import { showFieldErrors, useValidForm } from '../../forms/form.ts';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { NameDialog } from '../../ui/name-dialog.tsx';
import './messages.ts';

const lasts = ['7', '30', '90', '365', ''] as const;

interface Values extends Record<string, unknown> {
  name: string;
  /** Days; empty: until it is removed. */
  days: string;
}

const schema = calls.create.input.pick({ name: true });

function objections({ name }: Values): Record<string, string> {
  const [issue] = schema.safeParse({ name }).error?.issues ?? [];
  return issue ? { name: issue.message } : {};
}

interface CreateLinkProps {
  agentId: string;
  onClose: () => void;
  /** Receives the token, which is never available again. */
  onMade: (token: string) => void;
}

export function CreateLink({ agentId, onClose, onMade }: CreateLinkProps) {
  const form = useValidForm<Values>({
    initial: { name: '', days: '90' },
    labels: { name: t('insights.linkName'), days: t('insights.linkEnds') },
    check: objections,
  });
  const create = useMutation({
    mutationFn: ({ name, days }: Values) =>
      laterApi.insightLink.create({ agentId, name, ...(days && { days: Number(days) }) }),
    onSuccess: ({ token }) => onMade(token),
    onError: (error) => showFieldErrors(form, error) || announceFailure(error),
    // The token is not cached with the finished call.
    gcTime: 0,
    meta: { failure: 'updateInsights', quiet: true },
  });
  return (
    <NameDialog
      opened
      title={t('insights.createLink')}
      label={t('insights.linkName')}
      placeholder={t('insights.linkExample')}
      input={form.getInputProps('name')}
      action={t('insights.createLink')}
      busy={create.isPending}
      onSubmit={form.onSubmit((values) => create.mutate(values))}
      onClose={onClose}
    >
      <NativeSelect
        label={t('insights.linkEnds')}
        data={lasts.map((days) => ({
          value: days,
          label: days === '' ? t('insights.linkStays') : t('insights.linkDays', { days }),
        }))}
        {...form.getInputProps('days')}
      />
    </NameDialog>
  );
}
