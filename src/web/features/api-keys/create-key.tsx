import { NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiKey as calls, apiKeyScopes } from '../../../contract/api-key.ts';
import { laterApi } from '../../api/later-api.ts';
import { showFieldErrors, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { NameDialog } from '../../ui/name-dialog.tsx';

type Scope = (typeof apiKeyScopes)[number];

interface Values extends Record<string, unknown> {
  name: string;
  scope: Scope;
}

const schema = calls.create.input.omit({ organizationId: true });

interface CreateKeyProps {
  orgId: string;
  onClose: () => void;
  /** Receives the key itself, which is never available again. */
  onMade: (secret: string) => void;
}

export function CreateKey({ orgId, onClose, onMade }: CreateKeyProps) {
  const queryClient = useQueryClient();
  const form = useValidForm<Values>({
    initial: { name: '', scope: 'read' },
    schema,
    labels: { name: t('account.name'), scope: t('apiKeys.scope') },
  });
  const create = useMutation({
    mutationFn: (values: Values) => laterApi.apiKey.create({ organizationId: orgId, ...values }),
    onSuccess: async ({ secret }) => {
      onMade(secret);
      await queryClient.invalidateQueries({ queryKey: ['api-keys', orgId] });
    },
    onError: (error) => showFieldErrors(form, error) || announceFailure(error),
    // The secret is not cached with the finished call.
    gcTime: 0,
    meta: { failure: 'createApiKey', quiet: true },
  });
  return (
    <NameDialog
      opened
      title={t('apiKeys.create')}
      label={t('account.name')}
      placeholder={t('apiKeys.nameExample')}
      input={form.getInputProps('name')}
      action={t('apiKeys.create')}
      busy={create.isPending}
      onSubmit={form.onSubmit((values) => create.mutate(values))}
      onClose={onClose}
    >
      <NativeSelect
        label={t('apiKeys.scope')}
        description={t(`apiKeys.scopeText.${form.values.scope}`)}
        data={apiKeyScopes.map((scope) => ({ value: scope, label: t(`apiKeys.scope.${scope}`) }))}
        {...form.getInputProps('scope')}
      />
    </NameDialog>
  );
}
