import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { modelProviders, type ModelProvider, type ModelProviderName } from '../../../contract/model.ts';
import { laterApi } from '../../api/later-api.ts';
import { showFieldErrors } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { toast } from '../../toast.ts';
import { Callout } from '../../ui/callout.tsx';
import { Modal } from '../../ui/modal.tsx';
import { ProviderFields } from './provider-fields.tsx';
import { settingsOf, useProviderForm, type ProviderValues } from './provider-form.ts';
import { resultOf, useTestProvider } from './test-provider.tsx';

interface ProviderDialogProps {
  orgId: string;
  /** Undefined: adds a new one. */
  stored: ModelProvider | undefined;
  /** Providers already set up: there is one account per kind. */
  taken: readonly ModelProviderName[];
  onClose: () => void;
}

/** Adds or changes an account. It can be tested before saving. */
export function ProviderDialog({ orgId, stored, taken, onClose }: ProviderDialogProps) {
  const free = modelProviders.filter((provider) => !taken.includes(provider));
  const form = useProviderForm(stored, free);
  const { provider } = form.values;
  const test = useTestProvider();
  const save = useSaveProvider(orgId, onClose, (error) => showFieldErrors(form, error));
  const title = stored ? t('models.changeName', { name: t(`models.provider.${provider}`) }) : t('models.add');
  return (
    <Modal opened onClose={onClose} title={title}>
      <form noValidate onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack>
          <NativeSelect
            data-autofocus
            label={t('models.provider')}
            description={t(`models.providerText.${provider}`)}
            disabled={stored !== undefined}
            data={(stored ? [provider] : free).map((value) => ({
              value,
              label: t(`models.provider.${value}`),
            }))}
            {...form.getInputProps('provider')}
          />
          <ProviderFields form={form} stored={stored} />
          {test.data && <Callout tone={test.data.works ? 'neutral' : 'bad'}>{resultOf(test.data)}</Callout>}
          <Group justify="flex-end">
            <Button
              variant="default"
              loading={test.isPending}
              onClick={() => {
                if (!form.validate().hasErrors) test.mutate(settingsOf(orgId, form.values));
              }}
            >
              {t('models.test')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t('ui.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** `onRefused` may handle the failure; otherwise a toast shows it. */
function useSaveProvider(orgId: string, onSaved: () => void, onRefused: (error: unknown) => boolean) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (values: ProviderValues) => laterApi.model.setProvider(settingsOf(orgId, values)),
    onSuccess: async ({ provider }) => {
      toast.success({ title: t('models.saved'), message: t(`models.provider.${provider.provider}`) });
      onSaved();
      await queryClient.invalidateQueries({ queryKey: ['models', orgId] });
    },
    onError: (error) => onRefused(error) || announceFailure(error),
    // The key is not cached with the finished call.
    gcTime: 0,
    meta: { failure: 'updateModelProvider', quiet: true },
  });
}
