import { MODELS_A_PROVIDER_MAX } from '../../../contract/limits.ts';
import { ProviderSettings, type ModelProvider, type ModelProviderName } from '../../../contract/model.ts';
import { useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import type { ProviderInput } from './test-provider.tsx';

export interface ProviderValues extends Record<string, unknown> {
  provider: ModelProviderName;
  /** Empty: the provider's default. */
  baseUrl: string;
  /** Empty: the stored one. */
  apiKey: string;
  /** One per line. */
  models: string;
}

export function useProviderForm(stored: ModelProvider | undefined, free: readonly ModelProviderName[]) {
  return useValidForm<ProviderValues>({
    initial: {
      provider: stored?.provider ?? free[0] ?? 'openai',
      baseUrl: stored?.baseUrl ?? '',
      apiKey: '',
      models: stored?.models.join('\n') ?? '',
    },
    labels: {
      provider: t('models.provider'),
      baseUrl: t('models.address'),
      apiKey: t('models.key'),
      models: t('models.names'),
    },
    check: (values) => objections(values, stored),
  });
}

/** The values to send. */
export function settingsOf(organizationId: string, values: ProviderValues): ProviderInput {
  const { provider, baseUrl, apiKey, models } = values;
  return {
    organizationId,
    provider,
    baseUrl: baseUrl.trim() || null,
    ...(apiKey.trim() ? { apiKey: apiKey.trim() } : {}),
    models: [
      ...new Set(
        models
          .split('\n')
          .map((name) => name.trim())
          .filter(Boolean),
      ),
    ],
  };
}

const schema = ProviderSettings.omit({ organizationId: true });

function objections(values: ProviderValues, stored: ModelProvider | undefined): Record<string, string> {
  const { organizationId: _, ...settings } = settingsOf('', values);
  const errors: Record<string, string> = {};
  for (const { path, message } of schema.safeParse(settings).error?.issues ?? []) {
    const field = String(path[0]);
    errors[field] ??=
      field === 'models' ? t('models.namesWrong', { count: String(MODELS_A_PROVIDER_MAX) }) : message;
  }
  const { provider, baseUrl, apiKey } = settings;
  if (provider === 'compatible' && !baseUrl) errors['baseUrl'] ??= t('models.addressNeeded');
  if (!apiKey && stored?.apiKeyPreview && baseUrl !== stored.baseUrl) errors['apiKey'] = t('models.keyAgain');
  else if (!apiKey && !stored?.apiKeyPreview && provider !== 'compatible')
    errors['apiKey'] = t('models.keyNeeded');
  return errors;
}
