import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { model } from '../../../contract/model.ts';
import type { InputOf } from '../../../contract/route.ts';
import { laterApi } from '../../api/later-api.ts';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';

export type ProviderInput = InputOf<typeof model.testProvider>;

/** Asks the provider for a short answer, and reports the outcome and duration. */
export function useTestProvider() {
  return useMutation({
    mutationFn: (settings: ProviderInput) => laterApi.model.testProvider(settings),
    meta: { failure: 'testModelProvider' },
  });
}

export function resultOf({ works, detail, ms }: { works: boolean; detail: string; ms: number }): string {
  return works ? t('models.works', { ms: formatNumber(ms) }) : t('models.fails', { detail });
}

export function TestProvider({ settings }: { settings: ProviderInput }) {
  const test = useTestProvider();
  const name = t(`models.provider.${settings.provider}`);
  return (
    <Button
      variant="default"
      size="xs"
      loading={test.isPending}
      aria-label={`${t('models.test')}: ${name}`}
      onClick={() =>
        test.mutate(settings, {
          onSuccess: (result) =>
            (result.works ? toast.success : toast.error)({ title: name, message: resultOf(result) }),
        })
      }
    >
      {t('models.test')}
    </Button>
  );
}
