import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import {
  STOREFRONT_ITEM_TEXT_MAX_CHARACTERS,
  STOREFRONT_ITEM_TITLE_MAX_CHARACTERS,
  STOREFRONT_ITEMS_MAX,
} from '../../../contract/limits.ts';
import { t } from '../../messages/t.ts';
import { MoveButtons } from './move-buttons.tsx';
import { emptySections, type StorefrontForm } from './storefront-form.ts';
import style from './storefront.module.css';
import { useFocusLater } from '../../hooks/use-focus-later.ts';

/** The fields of an entry, and what people call it. */
const kinds = {
  feature: {
    fields: ['title', 'text'],
    empty: emptySections.features.items[0],
    labels: (number: number) => [
      t('storefront.feature', { number }),
      t('storefront.featureText', { number }),
    ],
    add: () => t('storefront.addFeature'),
  },
  question: {
    fields: ['question', 'answer'],
    empty: emptySections.questions.items[0],
    labels: (number: number) => [t('storefront.question', { number }), t('storefront.answer', { number })],
    add: () => t('storefront.addQuestion'),
  },
} as const;

interface ItemsEditorProps {
  form: StorefrontForm;
  path: string;
  count: number;
  kind: keyof typeof kinds;
}

/** Entries with two texts each. */
export function ItemsEditor({ form, path, count, kind }: ItemsEditorProps) {
  const { empty, add } = kinds[kind];
  const { list, focusLater } = useFocusLater<HTMLOListElement>();
  const append = () => {
    form.insertListItem(path, { ...empty });
    focusLater(`[data-item="${count}"] input`);
  };
  const move = (from: number, to: number, focused: string) => {
    form.reorderListItem(path, { from, to });
    focusLater(`[data-item="${to}"] [data-${focused}]`);
  };
  const remove = (index: number) => {
    form.removeListItem(path, index);
    focusLater('[data-add-item]');
  };
  return (
    <ol ref={list} className={style['items']}>
      {Array.from({ length: count }, (_, index) => (
        <li key={index} data-item={index} className={style['item']}>
          <Fields form={form} path={`${path}.${index}`} number={index + 1} kind={kind} />
          <MoveButtons
            name={kinds[kind].labels(index + 1)[0] ?? ''}
            index={index}
            count={count}
            onMove={(to, focused) => move(index, to, focused)}
            onRemove={() => remove(index)}
          />
        </li>
      ))}
      <li>
        {count < STOREFRONT_ITEMS_MAX && (
          <Button
            data-add-item
            variant="default"
            leftSection={<IconPlus size="1.15em" aria-hidden />}
            onClick={append}
          >
            {add()}
          </Button>
        )}
      </li>
    </ol>
  );
}

interface FieldsProps extends Pick<ItemsEditorProps, 'form' | 'path' | 'kind'> {
  number: number;
}

function Fields({ form, path, number, kind }: FieldsProps) {
  const { fields, labels } = kinds[kind];
  const [title, text] = labels(number);
  return (
    <Stack gap="xs">
      <TextInput
        label={title}
        maxLength={STOREFRONT_ITEM_TITLE_MAX_CHARACTERS}
        {...form.getInputProps(`${path}.${fields[0]}`)}
      />
      <Textarea
        autosize
        label={text}
        maxLength={STOREFRONT_ITEM_TEXT_MAX_CHARACTERS}
        {...form.getInputProps(`${path}.${fields[1]}`)}
      />
    </Stack>
  );
}
