import { Button, Group, Textarea, TextInput, type TextareaProps, type TextInputProps } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode, type RefAttributes } from 'react';
import { CANNED_ANSWER_TITLE_MAX_CHARACTERS, MESSAGE_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { inbox as calls, type CannedAnswer } from '../../../contract/inbox.ts';
import { api } from '../../api/api.ts';
import { focusFirst } from '../../forms/focus-first.ts';
import { changedIn, useStored, useValidForm } from '../../forms/form.ts';
import { useSaveOver } from '../../forms/save-over.ts';
import { SavedForm } from '../../forms/saved-form.tsx';
import { t } from '../../messages/t.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import style from './inbox.module.css';
import { useCanned } from './use-inbox.ts';

const schema = calls.createCanned.input.omit({ organizationId: true });

/** Canned answers to choose from. */
export function CannedAnswers({ orgId: organizationId }: { orgId: string }) {
  const { data: answers = [] } = useCanned(organizationId);
  const { add, remove } = useCannedActs(organizationId);
  const [asking, setAsking] = useState<CannedAnswer>();
  const [edited, setEdited] = useState<string>();
  return (
    <Section title={t('inbox.canned')} lead={t('inbox.cannedLead')}>
      {answers.map((answer) =>
        answer.id === edited ? (
          <EditedAnswer
            key={answer.id}
            organizationId={organizationId}
            answer={answer}
            onClose={() => setEdited(undefined)}
          />
        ) : (
          <AnswerRow key={answer.id} answer={answer}>
            <Button
              variant="default"
              size="xs"
              aria-label={t('inbox.cannedEdit', { title: answer.title })}
              onClick={() => setEdited(answer.id)}
            >
              {t('inbox.edit')}
            </Button>
            <Button
              variant="default"
              size="xs"
              aria-label={t('inbox.cannedRemove', { title: answer.title })}
              loading={remove.isPending && remove.variables === answer.id}
              onClick={() => setAsking(answer)}
            >
              {t('inbox.remove')}
            </Button>
          </AnswerRow>
        ),
      )}
      <NewAnswer busy={add.isPending} onAdd={add.mutate} />
      <ConfirmDialog
        opened={asking !== undefined}
        title={asking ? t('inbox.cannedRemove', { title: asking.title }) : ''}
        text={t('inbox.cannedRemoveText')}
        action={t('inbox.remove')}
        busy={remove.isPending}
        onConfirm={() => asking && remove.mutate(asking.id, { onSettled: () => setAsking(undefined) })}
        onClose={() => setAsking(undefined)}
      />
    </Section>
  );
}

function AnswerRow({ answer: { title, text }, children }: { answer: CannedAnswer; children: ReactNode }) {
  return (
    <div className={style['cannedRow']}>
      <div>
        <p className={style['name']}>{title}</p>
        <p className={style['plain']}>{text}</p>
      </div>
      <Group gap="xs" wrap="nowrap">
        {children}
      </Group>
    </div>
  );
}

type Words = Pick<CannedAnswer, 'title' | 'text'>;

function useCannedActs(organizationId: string) {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: ['canned', organizationId] });
  const meta = { failure: 'updateConversation' as const };
  const add = useMutation({
    mutationFn: (words: Words) => api.inbox.createCanned({ organizationId, ...words }),
    onSuccess,
    meta,
  });
  const remove = useMutation({
    mutationFn: (id: string) => api.inbox.removeCanned({ organizationId, id }),
    onSuccess,
    meta,
  });
  return { add, remove };
}

interface NewAnswerProps {
  busy: boolean;
  onAdd: (words: Words, options: { onSuccess: () => void }) => void;
}

function NewAnswer({ busy, onAdd }: NewAnswerProps) {
  const [title, setTitle] = useState('');
  const [text, setText] = useState('');
  const isWhole = title.trim() !== '' && text.trim() !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const onSuccess = () => {
      setTitle('');
      setText('');
    };
    if (isWhole) onAdd({ title: title.trim(), text: text.trim() }, { onSuccess });
  };
  return (
    <form className={style['days']} onSubmit={submit}>
      <WordsFields
        titleProps={{ value: title, onChange: ({ currentTarget: { value } }) => setTitle(value) }}
        textProps={{ value: text, onChange: ({ currentTarget: { value } }) => setText(value) }}
      />
      <div>
        <Button type="submit" variant="default" loading={busy} disabled={!isWhole}>
          {t('inbox.cannedAdd')}
        </Button>
      </div>
    </form>
  );
}

interface EditedProps {
  organizationId: string;
  answer: CannedAnswer;
  onClose: () => void;
}

function EditedAnswer({ organizationId, answer: { id, title, text }, onClose }: EditedProps) {
  const stored = { title, text };
  const labels = { title: t('inbox.cannedTitle'), text: t('inbox.cannedText') };
  const form = useValidForm({ initial: stored, schema, labels });
  const seen = useStored(form, stored);
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: ['canned', organizationId] });
  const saveOver = useSaveOver(seen, {
    send: async (changes: Partial<Words>) =>
      (await api.inbox.updateCanned({ organizationId, id, ...changes })).answer,
    storedOf: (answer) => answer,
    onChanged: reload,
  });
  const save = useMutation({
    mutationFn: saveOver,
    onSuccess: async () => {
      await reload();
      onClose();
    },
    meta: { failure: 'updateConversation' },
  });
  return (
    <div className={style['cannedRow']}>
      <SavedForm
        onSubmit={form.onSubmit((words) => save.mutate(changedIn(form, words)))}
        isChanged={form.isDirty()}
        isSaving={save.isPending}
        mayWrite
        more={
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
        }
      >
        <WordsFields
          titleProps={{ ref: focusFirst, ...form.getInputProps('title') }}
          textProps={form.getInputProps('text')}
        />
      </SavedForm>
    </div>
  );
}

interface WordsFieldsProps {
  titleProps: TextInputProps & RefAttributes<HTMLInputElement>;
  textProps: TextareaProps;
}

function WordsFields({ titleProps, textProps }: WordsFieldsProps) {
  return (
    <>
      <TextInput
        label={t('inbox.cannedTitle')}
        maxLength={CANNED_ANSWER_TITLE_MAX_CHARACTERS}
        {...titleProps}
      />
      <Textarea
        autosize
        minRows={2}
        label={t('inbox.cannedText')}
        maxLength={MESSAGE_MAX_CHARACTERS}
        {...textProps}
      />
    </>
  );
}
