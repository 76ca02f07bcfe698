import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus } from '@tabler/icons-react';
import { leadFieldKinds } from '../../../contract/lead.ts';
import { LEAD_FIELDS_MAX, LEAD_LABEL_MAX_CHARACTERS } from '../../../contract/limits.ts';
import type { Tool } from '../../../contract/tool.ts';
import { adoptSaved, showFieldErrors, useStored, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { SavedForm } from '../../forms/saved-form.tsx';
import { toast } from '../../toast.ts';
import { Section } from '../../ui/section.tsx';
import { formOf, nextField, schema, valuesOf, type LeadFormValues } from './lead-form-values.ts';
import style from './tools.module.css';
import { useUpdateTool } from './use-tools.ts';

type Form = UseFormReturnType<LeadFormValues>;

/** What the agent asks for when somebody wants to be contacted. */
export function LeadForm({ tool, mayWrite }: { tool: Tool; mayWrite: boolean }) {
  const labels = { form: t('tools.leadForm') };
  const form = useValidForm<LeadFormValues>({ initial: valuesOf(tool.form), schema, labels });
  const seen = useStored(form, valuesOf(tool.form));
  const saving = {
    onSaved: () => toast.success({ title: t('ui.saved') }),
    onRefused: (error: unknown) => showFieldErrors(form, error),
  };
  const save = useUpdateTool(tool, saving, () => ({ form: formOf(seen()) }));
  const submit = form.onSubmit((values) =>
    save.mutate(
      { form: formOf(values) },
      {
        onSuccess: ({ tool: { form: saved } }) => adoptSaved(form, values, valuesOf(saved)),
      },
    ),
  );
  const { form: fields } = form.values;
  return (
    <Section title={t('tools.leadForm')} lead={t('tools.leadFormLead')}>
      <SavedForm onSubmit={submit} isChanged={form.isDirty()} isSaving={save.isPending} mayWrite={mayWrite}>
        {fields.map((_field, index) => (
          <FieldFields key={index} form={form} index={index} />
        ))}
        {fields.length < LEAD_FIELDS_MAX && (
          <div>
            <Button
              variant="default"
              leftSection={<IconPlus size="1.15em" aria-hidden />}
              onClick={() => form.insertListItem('form', nextField(fields))}
            >
              {t('tools.leadAdd')}
            </Button>
          </div>
        )}
      </SavedForm>
    </Section>
  );
}

function FieldFields({ form, index }: { form: Form; index: number }) {
  const { kind } = form.values.form[index] ?? {};
  const at = (name: string) => `form.${index}.${name}`;
  const name = t('tools.leadField', { number: index + 1 });
  return (
    <fieldset className={style['leadField']} aria-label={name}>
      <TextInput
        label={t('tools.leadLabel')}
        maxLength={LEAD_LABEL_MAX_CHARACTERS}
        {...form.getInputProps(at('label'))}
      />
      <NativeSelect
        label={t('tools.leadKind')}
        data={leadFieldKinds.map((value) => ({ value, label: t(`tools.leadKind.${value}`) }))}
        {...form.getInputProps(at('kind'))}
      />
      <TextInput
        label={t('tools.leadKey')}
        spellCheck={false}
        maxLength={40}
        {...form.getInputProps(at('key'))}
      />
      {kind === 'choice' && (
        <Textarea
          autosize
          minRows={2}
          label={t('tools.leadChoices')}
          {...form.getInputProps(at('choices'))}
        />
      )}
      <div className={style['leadEnd']}>
        <Checkbox
          label={t('tools.leadRequired')}
          {...form.getInputProps(at('required'), { type: 'checkbox' })}
        />
        <Button
          variant="subtle"
          color="gray"
          aria-label={t('tools.leadRemoveField', { name })}
          onClick={() => form.removeListItem('form', index)}
        >
          {t('tools.remove')}
        </Button>
      </div>
    </fieldset>
  );
}
