import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { showFieldErrors, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { UnsavedGuard } from '../../forms/unsaved-guard.tsx';
import { focusFirst } from '../../forms/focus-first.ts';
import { checkTexts, textField } from './text-fields.ts';
import { useAddKnowledge } from './use-add-knowledge.ts';

/** A question with the answer its author wants to be given; several in a row. */
export function AddPairScreen() {
  const [round, setRound] = useState(1);
  return (
    <>
      <PageHeader title={t('knowledge.addPair')} lead={t('knowledge.addPairText')} />
      <Card kind="form">
        <PairForm key={round} onAnother={() => setRound(round + 1)} />
      </Card>
    </>
  );
}

function PairForm({ onAnother }: { onAnother: () => void }) {
  const labels = { description: t('knowledge.question'), text: t('knowledge.answer') };
  const form = useValidForm({
    initial: { description: '', text: '' },
    labels,
    check: (values) => checkTexts(values, labels),
  });
  const add = useAddKnowledge((error) => showFieldErrors(form, error));
  const addAnother = form.onSubmit((values) =>
    add.mutate({ item: { type: 'qa', ...values }, onAdded: onAnother }),
  );
  return (
    <form noValidate onSubmit={form.onSubmit((values) => add.mutate({ item: { type: 'qa', ...values } }))}>
      <UnsavedGuard changed={form.isDirty() && !add.isPending && !add.isSuccess} />
      <Stack>
        <TextInput
          ref={focusFirst}
          label={labels.description}
          placeholder={t('knowledge.questionExample')}
          {...form.getInputProps('description')}
        />
        <Textarea label={labels.text} {...textField} minRows={4} {...form.getInputProps('text')} />
        <Group gap="xs">
          <Button type="submit" loading={add.isPending}>
            {t('knowledge.add')}
          </Button>
          <Button variant="default" disabled={add.isPending} onClick={() => addAnother()}>
            {t('knowledge.addAnother')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
