import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { showFieldErrors, useValidForm } from '../../form.ts';
import { t } from '../../messages/t.ts';
import { required } from '../../rules.ts';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { KNOWLEDGE_TEXT_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { useAddKnowledge } from './use-add-knowledge.ts';

export function AddTextScreen() {
  const labels = { description: t('knowledge.name'), text: t('knowledge.text') };
  const form = useValidForm({
    initial: { description: '', text: '' },
    labels,
    check: checkText,
  });
  const add = useAddKnowledge((error) => showFieldErrors(form, error));
  return (
    <>
      <PageHeader title={t('knowledge.addText')} lead={t('knowledge.addTextText')} />
      <Card kind="form">
        <form noValidate onSubmit={form.onSubmit((values) => add.mutate({ type: 'text', ...values }))}>
          <Stack>
            <TextInput
              label={labels.description}
              placeholder={t('knowledge.nameExample')}
              {...form.getInputProps('description')}
            />
            <Textarea label={labels.text} autosize minRows={8} maxRows={20} {...form.getInputProps('text')} />
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

function checkText({ description, text }: { description: string; text: string }): Record<string, string> {
  const errors: Record<string, string> = {};
  if (!required(description)) errors['description'] = t('form.notValid', { field: t('knowledge.name') });
  const fits = text.length <= KNOWLEDGE_TEXT_MAX_CHARACTERS;
  if (!required(text) || !fits) errors['text'] = t('form.notValid', { field: t('knowledge.text') });
  return errors;
}
