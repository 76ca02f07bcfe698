import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { showFieldErrors, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { UnsavedGuard } from '../../forms/unsaved-guard.tsx';
import { focusFirst } from '../../forms/focus-first.ts';
import { checkTexts, textField } from './text-fields.ts';
import { useAddKnowledge } from './use-add-knowledge.ts';

export function AddTextScreen() {
  const labels = { description: t('knowledge.name'), text: t('knowledge.text') };
  const form = useValidForm({
    initial: { description: '', text: '' },
    labels,
    check: (values) => checkTexts(values, labels),
  });
  const add = useAddKnowledge((error) => showFieldErrors(form, error));
  return (
    <>
      <PageHeader title={t('knowledge.addText')} lead={t('knowledge.addTextText')} />
      <UnsavedGuard changed={form.isDirty() && !add.isPending && !add.isSuccess} />
      <Card kind="form">
        <form
          noValidate
          onSubmit={form.onSubmit((values) => add.mutate({ item: { type: 'text', ...values } }))}
        >
          <Stack>
            <TextInput
              ref={focusFirst}
              label={labels.description}
              placeholder={t('knowledge.nameExample')}
              {...form.getInputProps('description')}
            />
            <Textarea label={labels.text} {...textField} {...form.getInputProps('text')} />
            <div>
              <Button type="submit" loading={add.isPending}>
                {t('knowledge.add')}
              </Button>
            </div>
          </Stack>
        </form>
      </Card>
    </>
  );
}
