import { ActionIcon, Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import {
  expectationOf,
  NewTestCase,
  valueOfExpectation,
  type Expectation,
  type ExpectationKind,
  type TestCase,
} from '../../../contract/test-set.ts';
import { TEST_EXPECTATIONS_MAX } from '../../../contract/limits.ts';
import { t } from '../../messages/t.ts';
import { Modal } from '../../ui/modal.tsx';
import { expectationKinds } from './expectation-text.ts';
import style from './tests.module.css';

export interface EditedCase extends Pick<TestCase, 'question' | 'expectations'> {
  /** Unset: a new one. */
  id?: string;
}

/** As form values. */
interface Line {
  kind: ExpectationKind;
  value: string;
}

interface CaseDialogProps {
  edited: EditedCase;
  busy: boolean;
  onSave: (changed: EditedCase) => void;
  onClose: () => void;
}

/** A question with the expectations for its answer. Open as long as it is rendered. */
export function CaseDialog({ edited, ...rest }: CaseDialogProps) {
  return (
    <Modal
      opened
      onClose={rest.onClose}
      title={edited.id === undefined ? t('tests.add') : t('tests.edit')}
      size="lg"
    >
      <CaseForm edited={edited} {...rest} />
    </Modal>
  );
}

function CaseForm({ edited, busy, onSave, onClose }: CaseDialogProps) {
  const [question, setQuestion] = useState(edited.question);
  const [lines, setLines] = useState<Line[]>(edited.expectations.map(lineOf));
  const [tried, setTried] = useState(false);
  const expectations = lines.map(({ kind, value }) => expectationOf(kind, value));
  const parsed = NewTestCase.safeParse({ ...edited, question, expectations });
  const isWrong = (field: string | number) =>
    tried && !parsed.success && parsed.error.issues.some(({ path }) => path.includes(field));
  const submit = () => {
    setTried(true);
    if (parsed.success) onSave({ ...edited, question, expectations });
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack>
        <Textarea
          data-autofocus
          label={t('tests.question')}
          description={t('tests.questionHint')}
          autosize
          minRows={2}
          maxRows={8}
          error={isWrong('question') && t('form.notValid', { field: t('tests.question') })}
          value={question}
          onChange={({ currentTarget }) => setQuestion(currentTarget.value)}
        />
        <ExpectationLines lines={lines} isWrong={isWrong} onChange={setLines} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('ui.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function lineOf(expectation: Expectation): Line {
  return { kind: expectation.kind, value: valueOfExpectation(expectation) };
}

interface ExpectationLinesProps {
  lines: Line[];
  isWrong: (index: number) => boolean;
  onChange: (lines: Line[]) => void;
}

function ExpectationLines({ lines, isWrong, onChange }: ExpectationLinesProps) {
  return (
    <>
      {lines.map((line, index) => (
        <ExpectationLine
          key={index}
          number={index + 1}
          line={line}
          isWrong={isWrong(index)}
          onChange={(next) => onChange(lines.with(index, next))}
          onRemove={() => onChange(lines.toSpliced(index, 1))}
        />
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          disabled={lines.length >= TEST_EXPECTATIONS_MAX}
          onClick={() => onChange([...lines, { kind: 'contains', value: '' }])}
        >
          {t('tests.addExpectation')}
        </Button>
      </div>
    </>
  );
}

interface ExpectationLineProps {
  number: number;
  line: Line;
  isWrong: boolean;
  onChange: (line: Line) => void;
  onRemove: () => void;
}

function ExpectationLine({ number, line, isWrong, onChange, onRemove }: ExpectationLineProps) {
  const { kind, value } = line;
  const isNumber = kind === 'max-seconds' || kind === 'max-credits';
  return (
    <div className={style['fields']}>
      <NativeSelect
        aria-label={t('tests.expectation', { number })}
        data={expectationKinds.map((each) => ({ value: each, label: t(`tests.kind.${each}`) }))}
        value={kind}
        onChange={({ currentTarget }) =>
          onChange({ kind: expectationKinds.find((each) => each === currentTarget.value) ?? kind, value })
        }
      />
      {kind !== 'refuses' && (
        <TextInput
          aria-label={t('tests.value', { number })}
          inputMode={isNumber ? 'decimal' : 'text'}
          error={isWrong && t('form.notValid', { field: t(`tests.kind.${kind}`) })}
          value={value}
          onChange={({ currentTarget }) => onChange({ kind, value: currentTarget.value })}
        />
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('tests.removeExpectation', { number })}
        onClick={onRemove}
      >
        <IconX size="1.15em" />
      </ActionIcon>
    </div>
  );
}
