import { Textarea, TextInput } from '@mantine/core';
import type { Knowledge } from '../../../contract/knowledge.ts';
import { t } from '../../messages/t.ts';
import { linksField } from './links-input.ts';
import { ModeChoice } from './mode-choice.tsx';
import { ScheduleField, SiteFields } from './site-fields.tsx';
import { textField } from './text-fields.ts';
import { partsOf, type useEditForm } from './use-edit-form.ts';

interface EditFieldsProps extends Pick<ReturnType<typeof useEditForm>, 'form' | 'labels'> {
  item: Knowledge;
}

/** The editable fields of an item, by type. */
export function EditFields({ item, form, labels }: EditFieldsProps) {
  const parts = partsOf(item);
  const input = form.getInputProps;
  const { mode } = form.values;
  return (
    <>
      {parts.isDescriptionText ? (
        <Textarea label={labels.description} {...textField} {...input('description')} />
      ) : (
        <TextInput label={labels.description} {...input('description')} />
      )}
      {parts.hasText && <Textarea label={labels.text} {...textField} {...input('text')} />}
      {parts.hasLinks && (
        <Textarea
          label={labels.links}
          description={t('knowledge.addressesHint')}
          {...linksField}
          {...input('links')}
        />
      )}
      {item.type === 'website' && (
        <ModeChoice mode={mode} onChange={(value) => form.setFieldValue('mode', value)} />
      )}
      {parts.hasLinks && <ScheduleField input={input} />}
      {item.type === 'website' && <SiteFields mode={mode} input={input} />}
    </>
  );
}
