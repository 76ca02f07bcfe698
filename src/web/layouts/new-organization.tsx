import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { organization as calls } from '../../contract/organization.ts';
import { api } from '../api/api.ts';
import { showFieldErrors, useValidForm } from '../forms/form.ts';
import { t } from '../messages/t.ts';
import { announceFailure } from '../queries/query-client.ts';
import { referral, referralInput } from '../session/referral.ts';
import { NameDialog } from '../ui/name-dialog.tsx';

/** Creates another organization, owned by the person, and opens it. */
export function NewOrganization({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const form = useValidForm({
    initial: { name: '' },
    schema: calls.create.input,
    labels: { name: t('account.name') },
  });
  const create = useMutation({
    mutationFn: async (values: { name: string }) =>
      (await api.organization.create({ ...values, ...referralInput() })).organization,
    onSuccess: async ({ id }) => {
      onClose();
      referral.remove();
      await queryClient.invalidateQueries({ queryKey: ['organizations'] });
      await navigate({ to: '/platform/{-$orgId}/agent', params: { orgId: id } });
    },
    onError: (error) => showFieldErrors(form, error) || announceFailure(error),
    meta: { failure: 'getOrganization', quiet: true },
  });
  return (
    <NameDialog
      opened
      title={t('account.newOrganization')}
      label={t('account.name')}
      placeholder={t('account.organizationExample')}
      input={form.getInputProps('name')}
      action={t('account.createOrganization')}
      busy={create.isPending}
      onSubmit={form.onSubmit((values) => create.mutate(values))}
      onClose={onClose}
    />
  );
}
