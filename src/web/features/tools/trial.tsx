import { Button, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import type { Tool, ToolOperation, ToolParameter } from '../../../contract/tool.ts';
import { t } from '../../messages/t.ts';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { neededFor } from './operations.tsx';
import { TrialResult } from './trial-result.tsx';
import { argumentsOf, isJson, keyOf, type TrialValues } from './trial-values.ts';
import style from './tools.module.css';
import { useTestTool } from './use-tools.ts';

interface TrialProps {
  tool: Tool;
  operations: readonly ToolOperation[];
}

/** Calls an operation as the agent would, and shows what was sent and what came back. */
export function Trial({ tool, operations }: TrialProps) {
  const [chosen, setChosen] = useState('');
  const test = useTestTool(tool);
  // Its owner wants to see what the agent can use.
  const operation =
    operations.find(({ id }) => id === chosen) ?? operations.find(({ enabled }) => enabled) ?? operations[0];
  if (!operation) return <Notice title={t('tools.operationsNone')} text={t(neededFor(tool))} />;
  const choose = (id: string) => {
    setChosen(id);
    test.reset();
  };
  return (
    <Stack gap="lg">
      <Section title={t('tools.trial')} lead={t('tools.trialLead')}>
        <Stack>
          <NativeSelect
            label={t('tools.operation')}
            data={operations.map((each) => ({ value: each.id, label: labelOf(each) }))}
            value={operation.id}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          />
          <TrialForm
            key={operation.id}
            operation={operation}
            busy={test.isPending}
            onSend={(given) => test.mutate({ operationId: operation.id, arguments: given })}
          />
        </Stack>
      </Section>
      <div role="status">{test.data && <TrialResult result={test.data} />}</div>
    </Stack>
  );
}

function labelOf({ id, method, path, summary }: ToolOperation): string {
  return [path ? `${method} ${path}` : id, summary].filter(Boolean).join(' · ');
}

interface TrialFormProps {
  operation: ToolOperation;
  busy: boolean;
  onSend: (given: Record<string, unknown>) => void;
}

function TrialForm({ operation, busy, onSend }: TrialFormProps) {
  const [values, setValues] = useState<TrialValues>({});
  const given = argumentsOf(operation, values);
  const plain = operation.parameters.filter((parameter) => !isJson(parameter) && parameter.type !== 'string');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (given) onSend(given);
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        {operation.parameters.map((parameter) => (
          <ParameterField
            key={keyOf(parameter)}
            parameter={parameter}
            value={values[keyOf(parameter)] ?? ''}
            isWrong={given === null}
            onChange={(value) => setValues({ ...values, [keyOf(parameter)]: value })}
          />
        ))}
        {plain.length > 0 && <p className={style['detail']}>{t('tools.trialValueHint')}</p>}
        <div>
          <Button type="submit" loading={busy} disabled={given === null}>
            {t('tools.send')}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

interface ParameterFieldProps {
  parameter: ToolParameter;
  value: string;
  /** Only JSON input can be invalid. */
  isWrong: boolean;
  onChange: (value: string) => void;
}

function ParameterField({ parameter, value, isWrong, onChange }: ParameterFieldProps) {
  const { name, required, description, shape } = parameter;
  if (isJson(parameter))
    return (
      <Textarea
        label={name === 'body' ? t('tools.trialBody') : name}
        description={<Hint words={[t('tools.trialBodyHint'), description]} shape={shape} />}
        withAsterisk={required}
        classNames={{ input: style['code'] ?? '' }}
        spellCheck={false}
        autosize
        minRows={4}
        maxRows={20}
        error={isWrong && t('tools.trialBodyWrong')}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  return (
    <TextInput
      label={name}
      description={<Hint words={[t(`tools.in.${parameter.in}`), description]} shape={shape} />}
      withAsterisk={required}
      spellCheck={false}
      autoComplete="off"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** Where a value goes, its meaning, and its type. */
function Hint({ words, shape }: { words: string[]; shape: string }) {
  return (
    <>
      {words.filter(Boolean).join(' · ')} <code className={style['shape']}>{shape}</code>
    </>
  );
}
