import { NativeSelect, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ModelSettings, type Chatbot } from '../../../contract/chatbot.ts';
import { MODEL_FALLBACKS_MAX } from '../../../contract/limits.ts';
import type { Model } from '../../../contract/model.ts';
import { adoptSaved, useStored, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { modelsQuery } from '../../queries/model-queries.ts';
import { viewOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { SettingsForm, WithAgent } from './settings-form.tsx';
import { useSaveAgent } from './use-save-agent.ts';

/** Which models answer for the agent, and how. `more`: what else its model is used for. */
export function ModelScreen({ more }: { more: ReactNode }) {
  const models = useQuery(modelsQuery(useOrgId()));
  return (
    <WithAgent>
      {(agent) => (
        <Stack gap="lg">
          <QueryView {...viewOf(models)}>{(list) => <ModelForm agent={agent} models={list} />}</QueryView>
          {more}
        </Stack>
      )}
    </WithAgent>
  );
}

/** As form values: text. An empty name means none. */
interface Values extends Record<string, unknown> {
  model: string;
  fallbacks: string[];
  temperature: string;
  maxTokens: string;
  timeoutSeconds: string;
}

const numbers = ['temperature', 'maxTokens', 'timeoutSeconds'] as const;

function ModelForm({ agent, models }: { agent: Chatbot; models: readonly Model[] }) {
  const labels = {
    model: t('settings.model'),
    fallbacks: t('settings.fallbackModel'),
    temperature: t('settings.temperature'),
    maxTokens: t('settings.maxTokens'),
    timeoutSeconds: t('settings.timeoutSeconds'),
  };
  const stored = valuesOf(agent.modelSettings);
  const form = useValidForm<Values>({
    initial: stored,
    schema: { safeParse: (values) => ModelSettings.safeParse(settingsOf(values as Values)) },
    labels,
  });
  const seen = useStored(form, stored);
  const save = useSaveAgent({ seen: () => ({ modelSettings: settingsOf(seen()) }) });
  const submit = form.onSubmit((values) =>
    save.mutate(
      { modelSettings: settingsOf(values) },
      { onSuccess: (saved) => adoptSaved(form, values, valuesOf(saved.modelSettings)) },
    ),
  );
  return (
    <SettingsForm onSubmit={submit} busy={save.isPending} changed={form.isDirty()}>
      <NativeSelect
        label={labels.model}
        description={t('settings.modelHint')}
        data={[{ value: '', label: defaultLabel(models) }, ...choices(models, form.values.model)]}
        {...form.getInputProps('model')}
      />
      <Fallbacks form={form} label={labels.fallbacks} models={models} />
      {numbers.map((field) => (
        <TextInput
          key={field}
          type="number"
          inputMode="decimal"
          step={field === 'temperature' ? 0.1 : 1}
          label={labels[field]}
          description={t(`settings.${field}Hint`)}
          {...form.getInputProps(field)}
        />
      ))}
    </SettingsForm>
  );
}

interface FallbacksProps {
  form: UseFormReturnType<Values>;
  label: string;
  models: readonly Model[];
}

/** One field more than selected, up to the most an agent may have. */
function Fallbacks({ form, label, models }: FallbacksProps) {
  const { fallbacks } = form.values;
  return Array.from({ length: Math.min(fallbacks.length + 1, MODEL_FALLBACKS_MAX) }, (_, index) => (
    <NativeSelect
      key={index}
      label={index === 0 ? label : t('settings.fallbackModelNth')}
      data={[{ value: '', label: t('settings.noFallback') }, ...choices(models, fallbacks[index] ?? '')]}
      value={fallbacks[index] ?? ''}
      onChange={({ currentTarget: { value } }) =>
        form.setFieldValue('fallbacks', fallbacks.toSpliced(index, 1, value).filter(Boolean))
      }
    />
  ));
}

function defaultLabel(models: readonly Model[]): string {
  return t('settings.modelDefault', { name: models.find(({ isDefault }) => isDefault)?.name ?? '' });
}

/** A selected model that no longer exists stays visible. */
function choices(models: readonly Model[], chosen: string) {
  const known = models.map(({ name }) => ({ value: name, label: name }));
  const isGone = chosen !== '' && !models.some(({ name }) => name === chosen);
  return isGone ? [...known, { value: chosen, label: t('settings.modelGone', { name: chosen }) }] : known;
}

function valuesOf({ model, fallbacks, temperature, maxTokens, timeoutSeconds }: ModelSettings): Values {
  return {
    model: model ?? '',
    fallbacks,
    temperature: String(temperature),
    maxTokens: String(maxTokens),
    timeoutSeconds: String(timeoutSeconds),
  };
}

function settingsOf(values: Values): ModelSettings {
  const number = (text: string) => (text.trim() === '' ? Number.NaN : Number(text));
  return {
    model: values.model || null,
    fallbacks: values.fallbacks,
    temperature: number(values.temperature),
    maxTokens: number(values.maxTokens),
    timeoutSeconds: number(values.timeoutSeconds),
  };
}
