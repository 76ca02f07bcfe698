import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ModelPrice, type ModelProvider } from '../../../contract/model.ts';
import { useValidForm } from '../../forms/form.ts';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';
import { Modal } from '../../ui/modal.tsx';
import style from './models.module.css';

interface PricesProps {
  orgId: string;
  provider: ModelProvider;
}

export function PricesButton({ orgId, provider }: PricesProps) {
  const [isOpen, setOpen] = useState(false);
  const name = t(`models.provider.${provider.provider}`);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={t('models.pricesName', { name })}
        onClick={() => setOpen(true)}
      >
        {t('models.prices')}
      </Button>
      {isOpen && <PricesDialog orgId={orgId} provider={provider} onClose={() => setOpen(false)} />}
    </>
  );
}

const parts = ['input', 'cachedInput', 'output'] as const;
type Values = Record<string, string>;
const fieldOf = (at: number, part: (typeof parts)[number]) => `${at}-${part}`;

/** The provider's price for each of its models: empty means unknown. */
function PricesDialog({ orgId, provider, onClose }: PricesProps & { onClose: () => void }) {
  const { models, prices } = provider;
  const name = t(`models.provider.${provider.provider}`);
  const cells = models.flatMap((model, at) =>
    parts.map((part) => [fieldOf(at, part), prices[model]?.[part] ?? ''] as const),
  );
  const form = useValidForm<Values>({
    initial: Object.fromEntries(cells),
    labels: {},
    check: (values) => objections(values, models),
  });
  const save = useSavePrices(orgId, provider, onClose);
  return (
    <Modal opened size="lg" onClose={onClose} title={t('models.pricesName', { name })}>
      <form noValidate onSubmit={form.onSubmit((values) => save.mutate(pricesIn(values, models)))}>
        <Stack>
          <p>{t('models.pricesText')}</p>
          {models.map((model, at) => (
            <fieldset key={model} className={style['priced']}>
              <legend className={style['names']}>{model}</legend>
              {parts.map((part) => (
                <TextInput
                  key={part}
                  inputMode="decimal"
                  label={t(`models.price.${part}`)}
                  {...form.getInputProps(fieldOf(at, part))}
                />
              ))}
            </fieldset>
          ))}
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending}>
              {t('ui.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** The input for a model; undefined if there is none. */
function written(values: Values, at: number) {
  const [input = '', cachedInput = '', output = ''] = parts.map((part) => values[fieldOf(at, part)]?.trim());
  return input + cachedInput + output === ''
    ? undefined
    : { input, cachedInput: cachedInput || null, output };
}

function objections(values: Values, models: readonly string[]): Record<string, string> {
  const wrong = models.flatMap((_, at) => {
    const issues = ModelPrice.safeParse(written(values, at) ?? { input: '0', cachedInput: null, output: '0' })
      .error?.issues;
    return (issues ?? []).map(
      ({ path: [part] }) => [fieldOf(at, part as (typeof parts)[number]), t('models.priceWrong')] as const,
    );
  });
  return Object.fromEntries(wrong);
}

const pricesIn = (values: Values, models: readonly string[]) =>
  models.flatMap((model, at) => {
    const price = written(values, at);
    return price ? [{ model, ...price }] : [];
  });

function useSavePrices(orgId: string, { provider }: ModelProvider, onSaved: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (prices: ReturnType<typeof pricesIn>) =>
      laterApi.modelPrice.set({ organizationId: orgId, provider, prices }),
    onSuccess: () => {
      toast.success({ title: t('models.pricesSaved'), message: t(`models.provider.${provider}`) });
      onSaved();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['models', orgId] }),
    meta: { failure: 'updateModelProvider' },
  });
}
