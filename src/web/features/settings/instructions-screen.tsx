import { Switch, Textarea } from '@mantine/core';
import { useRef } from 'react';
import { estimateTokenCount } from 'tokenx';
import { ChatbotChanges, type Chatbot } from '../../../contract/chatbot.ts';
import { INSTRUCTIONS_MAX_CHARACTERS } from '../../../contract/limits.ts';
import type { VariableName } from '../../../contract/variables.ts';
import { adoptSaved, changedIn, showFieldErrors, useStored, useValidForm } from '../../forms/form.ts';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { InstructionTools } from './instruction-tools.tsx';
import { SettingsForm, WithAgent } from './settings-form.tsx';
import style from './settings.module.css';
import { useSaveAgent } from './use-save-agent.ts';

export function InstructionsScreen() {
  return <WithAgent>{(agent) => <InstructionsForm agent={agent} />}</WithAgent>;
}

const schema = ChatbotChanges.pick({
  customInstructions: true,
  enableKnowledgeBaseMode: true,
  fallbackMessage: true,
});

const valuesOf = ({ customInstructions, enableKnowledgeBaseMode, fallbackMessage }: Chatbot) => ({
  customInstructions,
  enableKnowledgeBaseMode,
  fallbackMessage,
});

function InstructionsForm({ agent }: { agent: Chatbot }) {
  const labels = {
    customInstructions: t('instructions.title'),
    enableKnowledgeBaseMode: t('settings.knowledgeOnly'),
    fallbackMessage: t('settings.fallback'),
  };
  const stored = valuesOf(agent);
  const form = useValidForm({ initial: stored, schema, labels });
  const seen = useStored(form, stored);
  const save = useSaveAgent({ seen, onRefused: (error) => showFieldErrors(form, error) });
  const submit = form.onSubmit((values) =>
    save.mutate(changedIn(form, values), { onSuccess: (saved) => adoptSaved(form, values, valuesOf(saved)) }),
  );
  return (
    <SettingsForm onSubmit={submit} busy={save.isPending} changed={form.isDirty()}>
      <Instructions
        label={labels.customInstructions}
        value={form.values.customInstructions}
        input={form.getInputProps('customInstructions')}
        onChange={(text) => form.setFieldValue('customInstructions', text)}
      />
      <Switch
        label={labels.enableKnowledgeBaseMode}
        description={t('settings.knowledgeOnlyHint')}
        {...form.getInputProps('enableKnowledgeBaseMode', { type: 'checkbox' })}
      />
      <Textarea
        label={labels.fallbackMessage}
        description={t('settings.fallbackHint')}
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('fallbackMessage')}
      />
    </SettingsForm>
  );
}

interface InstructionsProps {
  label: string;
  value: string;
  /** The form's props for its field. */
  input: object;
  onChange: (text: string) => void;
}

function Instructions({ label, value, input, onChange }: InstructionsProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const tokens = estimateTokenCount(value);
  const insert = (name: VariableName) => {
    const { selectionStart = value.length, selectionEnd = value.length } = field.current ?? {};
    const written = `{{${name}}}`;
    onChange(value.slice(0, selectionStart) + written + value.slice(selectionEnd));
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(selectionStart + written.length, selectionStart + written.length);
    });
  };
  return (
    <div className={style['instructions']}>
      <InstructionTools text={value} onInsert={insert} onReplace={onChange} />
      <Textarea
        ref={field}
        label={label}
        description={t('instructions.hint', { count: formatNumber(INSTRUCTIONS_MAX_CHARACTERS) })}
        placeholder={t('instructions.example')}
        autosize
        minRows={10}
        maxRows={28}
        {...input}
      />
      <p className={style['size']}>
        {t('instructions.size#', {
          count: tokens,
          characters: formatNumber(value.length),
          max: formatNumber(INSTRUCTIONS_MAX_CHARACTERS),
          tokens: formatNumber(tokens),
        })}
      </p>
    </div>
  );
}
