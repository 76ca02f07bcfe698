import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { MESSAGE_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import { Card } from '../../ui/card.tsx';
import style from './knowledge.module.css';
import { RetrievalView } from './retrieval-view.tsx';

interface TryQuestionProps {
  agentId: string;
  /** Without its title, if a tab already says it. */
  bare?: boolean;
}

/** Shows what a question would find in everything the agent knows, and why. */
export function TryQuestion({ agentId, bare = false }: TryQuestionProps) {
  const [question, setQuestion] = useState('');
  const find = useMutation({
    mutationFn: (asked: string) => laterApi.knowledge.tryQuestion({ id: agentId, question: asked }),
    meta: { failure: 'getKnowledge' },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (question.trim() !== '') find.mutate(question.trim());
  };
  return (
    <section aria-label={t('knowledge.try')}>
      <Card>
        {!bare && <h2 className={style['sourceTitle']}>{t('knowledge.try')}</h2>}
        <p className={style['soft']}>{t('knowledge.tryText')}</p>
        <form className={style['ask']} onSubmit={submit}>
          <TextInput
            aria-label={t('knowledge.question')}
            placeholder={t('knowledge.questionExample')}
            maxLength={MESSAGE_MAX_CHARACTERS}
            value={question}
            onChange={(event) => setQuestion(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={find.isPending}>
            {t('knowledge.find')}
          </Button>
        </form>
        <div role="status">
          {find.data && <RetrievalView retrieval={find.data.retrieval} question={find.variables} />}
        </div>
      </Card>
    </section>
  );
}
