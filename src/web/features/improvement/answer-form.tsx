import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { improvement, type QuestionCluster } from '../../../contract/improvement.ts';
import { below } from '../../below.ts';
import { knowledgeQuery } from '../../queries/agent-queries.ts';
import { laterApi } from '../../api/later-api.ts';
import { showFieldErrors, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../queries/query-props.ts';
import { toast } from '../../toast.ts';
import { Callout } from '../../ui/callout.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { UnsavedGuard } from '../../forms/unsaved-guard.tsx';
import style from './improvement.module.css';
import { Passages, Samples } from './samples.tsx';
import { useChange, useCluster } from './use-questions.ts';

const schema = improvement.approveAnswer.input.pick({ question: true, answer: true });

interface AnswerFormProps {
  agentId: string;
  cluster: QuestionCluster;
  onDone: () => void;
}

/** How people asked, related knowledge of the agent, and the answer it should give. */
export function AnswerForm({ agentId, cluster, onDone }: AnswerFormProps) {
  const found = useCluster(agentId, cluster.id);
  const known = useKnown(agentId, cluster.answer?.knowledgeId ?? null);
  return (
    <div className={style['panel']}>
      <QueryView {...known} shape="card">
        {(answer) => <Fields agentId={agentId} cluster={cluster} answer={answer} onDone={onDone} />}
      </QueryView>
      <QueryView {...viewOf(found)}>
        {({ samples, passages }) => (
          <div className={style['beside']}>
            <Samples samples={samples} />
            <Passages passages={passages} />
          </div>
        )}
      </QueryView>
    </div>
  );
}

/** The pair's current text, to be edited rather than rewritten; empty if there is none. */
function useKnown(agentId: string, knowledgeId: string | null) {
  const pair = useQuery({
    ...knowledgeQuery(agentId, knowledgeId ?? ''),
    enabled: knowledgeId !== null,
    // It may have been changed on its own page.
    gcTime: 0,
  });
  const view = viewOf(pair);
  return { ...view, data: knowledgeId === null ? '' : view.data && (view.data.text ?? '') };
}

function Fields({ agentId, cluster, answer: known, onDone }: AnswerFormProps & { answer: string }) {
  const named = { id: agentId, clusterId: cluster.id };
  const labels = { question: t('improvement.question'), answer: t('improvement.theAnswer') };
  const form = useValidForm({ initial: { question: cluster.title, answer: known }, schema, labels });
  /** The prefilled text, not written by the person. */
  const given = useRef(known);
  const draft = useChange(
    agentId,
    () => laterApi.improvement.draftAnswer(named),
    ({ answer }) => {
      if (answer === '') return;
      const written = form.getValues().answer;
      form.setFieldValue('answer', written === given.current ? answer : below(written, answer));
      given.current = answer;
    },
  );
  const approve = useApprove(named, (error) => showFieldErrors(form, error), onDone);
  return (
    <form noValidate onSubmit={form.onSubmit((values) => approve.mutate(values))}>
      <UnsavedGuard changed={form.isDirty() && !approve.isPending && !approve.isSuccess} />
      <Stack gap="sm">
        <TextInput
          label={labels.question}
          description={t('improvement.questionHint')}
          {...form.getInputProps('question')}
        />
        <Textarea autosize minRows={4} maxRows={14} label={labels.answer} {...form.getInputProps('answer')} />
        {draft.data && <Callout>{t(`improvement.drafted.${draft.data.by}`)}</Callout>}
        <Group gap="xs">
          <Button type="submit" loading={approve.isPending}>
            {t('improvement.approve')}
          </Button>
          <Button variant="default" loading={draft.isPending} onClick={() => draft.mutate(undefined)}>
            {t('improvement.draft')}
          </Button>
          <Button variant="default" onClick={onDone}>
            {t('improvement.cancel')}
          </Button>
        </Group>
        <p className={style['facts']}>{t('improvement.draftHint')}</p>
      </Stack>
    </form>
  );
}

function useApprove(
  named: { id: string; clusterId: string },
  onError: (error: unknown) => unknown,
  onDone: () => void,
) {
  return useChange(
    named.id,
    (values: { question: string; answer: string }) =>
      laterApi.improvement.approveAnswer({ ...named, ...values }).catch((error: unknown) => {
        onError(error);
        throw error;
      }),
    () => {
      toast.success({ title: t('improvement.approved'), message: t('improvement.approvedText') });
      onDone();
    },
  );
}
