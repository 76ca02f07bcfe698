import { Textarea, TextInput } from '@mantine/core';
import type { ModelProvider } from '../../../contract/model.ts';
import { t } from '../../messages/t.ts';
import type { useProviderForm } from './provider-form.ts';

interface FieldsProps {
  form: ReturnType<typeof useProviderForm>;
  stored: ModelProvider | undefined;
}

export function ProviderFields({ form, stored }: FieldsProps) {
  const hint = keyHint(form.values.baseUrl, stored);
  return (
    <>
      <TextInput
        type="url"
        inputMode="url"
        label={t('models.address')}
        description={form.values.provider === 'compatible' ? undefined : t('models.addressHint')}
        placeholder="https://models.example.com/v1"
        {...form.getInputProps('baseUrl')}
      />
      <TextInput
        type="password"
        autoComplete="off"
        label={t('models.key')}
        description={hint}
        {...form.getInputProps('apiKey')}
      />
      <Textarea
        label={t('models.names')}
        description={t('models.namesHint')}
        placeholder="gpt-5-mini"
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('models')}
      />
    </>
  );
}

/** A stored key is used only for the address it was given for. */
function keyHint(baseUrl: string, stored: ModelProvider | undefined): string {
  const preview = stored?.apiKeyPreview;
  if (!preview) return t('models.keyHint');
  const isSame = baseUrl.trim() === (stored.baseUrl ?? '');
  return isSame ? t('models.keyKept', { preview }) : t('models.keyAgain');
}
