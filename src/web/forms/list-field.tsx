import { ActionIcon, Button, Input, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@tabler/icons-react';
import { useState, type KeyboardEvent } from 'react';
import style from './list-field.module.css';
import { useFocusLater } from '../hooks/use-focus-later.ts';
import { t } from '../messages/t.ts';
import { Hidden } from '../ui/hidden.tsx';

interface ListFieldProps<Values> {
  form: UseFormReturnType<Values>;
  /** The texts' path in the form. */
  path: keyof Values & string;
  label: string;
  /** Omitted if the page explains everything above the list. */
  description?: string;
  nameOf: (number: number) => string;
  addLabel: string;
  placeholder?: string;
  maxCount: number;
  maxLength: number;
  /** The order is meaningful and can be changed. */
  ordered?: boolean;
}

/** A short list of texts, one per row. */
export function ListField<Values extends Record<string, unknown>>(props: ListFieldProps<Values>) {
  const { label, description, addLabel, maxCount, ordered = false } = props;
  const { texts, list, told, add, remove, move } = useListEditing(props);
  return (
    <Input.Wrapper
      labelElement="div"
      role="group"
      aria-label={label}
      label={description && label}
      description={description && (ordered ? `${description} ${t('list.orderHint')}` : description)}
    >
      <ol ref={list} className={style['list']}>
        {texts.map((_text, index) => (
          <Row key={index} {...props} index={index} count={texts.length} onMove={move} onRemove={remove} />
        ))}
        {texts.length < maxCount && (
          <li>
            <Button
              data-add
              variant="default"
              leftSection={<IconPlus size="1.15em" aria-hidden />}
              onClick={add}
            >
              {addLabel}
            </Button>
          </li>
        )}
      </ol>
      <span role="status">
        <Hidden>{told}</Hidden>
      </span>
    </Input.Wrapper>
  );
}

/** Whatever happens to an entry, keyboard focus stays with it, or moves to what replaces it. */
function useListEditing<Values extends Record<string, unknown>>({
  form,
  path,
  nameOf,
}: ListFieldProps<Values>) {
  const texts = form.values[path] as string[];
  const [told, setTold] = useState('');
  const { list, focusLater } = useFocusLater<HTMLOListElement>();
  return {
    texts,
    list,
    /** Tells screen readers where an entry has moved. */
    told,
    add: () => {
      form.insertListItem(path, '' as never);
      focusLater(`[data-entry="${texts.length}"]`);
    },
    remove: (index: number) => {
      form.removeListItem(path, index);
      const next = Math.min(index, texts.length - 2);
      focusLater(next < 0 ? '[data-add]' : `[data-entry="${next}"]`);
    },
    move: (from: number, to: number, focused: string) => {
      if (to < 0 || to >= texts.length) return;
      form.reorderListItem(path, { from, to });
      setTold(
        t('list.moved', { name: texts[from] || nameOf(from + 1), number: to + 1, count: texts.length }),
      );
      focusLater(`[data-${focused}="${to}"]`);
    },
  };
}

interface RowProps<Values> extends ListFieldProps<Values> {
  index: number;
  count: number;
  onMove: (from: number, to: number, focused: string) => void;
  onRemove: (index: number) => void;
}

function Row<Values>({ form, path, index, count, onMove, onRemove, ...props }: RowProps<Values>) {
  const name = props.nameOf(index + 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!props.ordered || !event.altKey || by === undefined) return;
    event.preventDefault();
    onMove(index, index + by, 'entry');
  };
  return (
    <li className={style['row']}>
      <TextInput
        data-entry={index}
        aria-label={name}
        className={style['text'] ?? ''}
        placeholder={props.placeholder}
        maxLength={props.maxLength}
        onKeyDown={onKeyDown}
        {...form.getInputProps(`${path}.${index}`)}
      />
      {props.ordered && (
        <>
          <Tool
            label={t('list.moveUp', { name })}
            data={{ 'data-up': index }}
            disabled={index === 0}
            icon={IconArrowUp}
            onClick={() => onMove(index, index - 1, 'up')}
          />
          <Tool
            label={t('list.moveDown', { name })}
            data={{ 'data-down': index }}
            disabled={index === count - 1}
            icon={IconArrowDown}
            onClick={() => onMove(index, index + 1, 'down')}
          />
        </>
      )}
      <Tool label={t('list.remove', { name })} icon={IconX} onClick={() => onRemove(index)} />
    </li>
  );
}

interface ToolProps {
  label: string;
  icon: typeof IconX;
  /** It keeps keyboard focus, although it does nothing. */
  disabled?: boolean;
  /** Identifies it for focusing. */
  data?: Record<`data-${string}`, number>;
  onClick: () => void;
}

function Tool({ label, icon: Icon, disabled = false, data, onClick }: ToolProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      aria-disabled={disabled}
      className={style['tool'] ?? ''}
      onClick={onClick}
      {...data}
    >
      <Icon size="1.15em" aria-hidden />
    </ActionIcon>
  );
}
