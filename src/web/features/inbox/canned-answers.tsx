import { Button, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { CANNED_ANSWER_TITLE_MAX_CHARACTERS, MESSAGE_MAX_CHARACTERS } from '../../../contract/limits.ts';
import type { CannedAnswer } from '../../../contract/inbox.ts';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import style from './inbox.module.css';
import { useCanned } from './use-inbox.ts';

/** Canned answers to choose from. */
export function CannedAnswers({ orgId: organizationId }: { orgId: string }) {
  const { data: answers = [] } = useCanned(organizationId);
  const { add, remove } = useCannedActs(organizationId);
  const [asking, setAsking] = useState<CannedAnswer>();
  return (
    <Section title={t('inbox.canned')} lead={t('inbox.cannedLead')}>
      {answers.map((answer) => (
        <div key={answer.id} className={style['cannedRow']}>
          <div>
            <p className={style['name']}>{answer.title}</p>
            <p className={style['plain']}>{answer.text}</p>
          </div>
          <Button
            variant="default"
            size="xs"
            aria-label={t('inbox.cannedRemove', { title: answer.title })}
            loading={remove.isPending && remove.variables === answer.id}
            onClick={() => setAsking(answer)}
          >
            {t('inbox.remove')}
          </Button>
        </div>
      ))}
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
      <TextInput
        label={t('inbox.cannedTitle')}
        maxLength={CANNED_ANSWER_TITLE_MAX_CHARACTERS}
        value={title}
        onChange={({ currentTarget: { value } }) => setTitle(value)}
      />
      <Textarea
        autosize
        minRows={2}
        label={t('inbox.cannedText')}
        maxLength={MESSAGE_MAX_CHARACTERS}
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
      />
      <div>
        <Button type="submit" variant="default" loading={busy} disabled={!isWhole}>
          {t('inbox.cannedAdd')}
        </Button>
      </div>
    </form>
  );
}
