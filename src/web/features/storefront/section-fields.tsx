import { Textarea, TextInput } from '@mantine/core';
import {
  STOREFRONT_SECTION_TITLE_MAX_CHARACTERS,
  STOREFRONT_TEXT_MAX_CHARACTERS,
} from '../../../contract/limits.ts';
import type { StorefrontSection } from '../../../contract/storefront.ts';
import { t } from '../../messages/t.ts';
import { ItemsEditor } from './items-editor.tsx';
import { ProductsChoice } from './products-choice.tsx';
import type { StorefrontForm } from './storefront-form.ts';

interface SectionFieldsProps {
  form: StorefrontForm;
  section: StorefrontSection;
  /** Its path in the form. */
  path: string;
}

export function SectionFields({ form, section, path }: SectionFieldsProps) {
  return (
    <>
      <TextInput
        label={t('storefront.sectionTitle')}
        maxLength={STOREFRONT_SECTION_TITLE_MAX_CHARACTERS}
        {...form.getInputProps(`${path}.title`)}
      />
      {'text' in section && (
        <Textarea
          autosize
          minRows={3}
          maxRows={16}
          label={t('storefront.text')}
          description={t('storefront.textHint')}
          maxLength={STOREFRONT_TEXT_MAX_CHARACTERS}
          {...form.getInputProps(`${path}.text`)}
        />
      )}
      {section.kind === 'offers' && <ProductsChoice form={form} />}
      {section.kind === 'features' && (
        <ItemsEditor form={form} path={`${path}.items`} count={section.items.length} kind="feature" />
      )}
      {section.kind === 'questions' && (
        <ItemsEditor form={form} path={`${path}.items`} count={section.items.length} kind="question" />
      )}
    </>
  );
}
