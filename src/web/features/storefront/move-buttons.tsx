import { ActionIcon } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react';
import { t } from '../../messages/t.ts';

interface MoveButtonsProps {
  name: string;
  index: number;
  count: number;
  /** Called with the button that was used: keyboard focus stays on it. */
  onMove: (to: number, focused: 'up' | 'down') => void;
  /** Omitted if no button removes it. */
  onRemove?: () => void;
}

const look = { variant: 'subtle', color: 'gray', size: 'lg' } as const;

/** At either end a button keeps keyboard focus, although it does nothing. */
export function MoveButtons({ name, index, count, onMove, onRemove }: MoveButtonsProps) {
  const isFirst = index === 0;
  const isLast = index === count - 1;
  return (
    <span>
      <ActionIcon
        {...look}
        data-up
        aria-label={t('storefront.moveUp', { name })}
        aria-disabled={isFirst}
        onClick={() => !isFirst && onMove(index - 1, 'up')}
      >
        <IconArrowUp size="1.15em" aria-hidden />
      </ActionIcon>
      <ActionIcon
        {...look}
        data-down
        aria-label={t('storefront.moveDown', { name })}
        aria-disabled={isLast}
        onClick={() => !isLast && onMove(index + 1, 'down')}
      >
        <IconArrowDown size="1.15em" aria-hidden />
      </ActionIcon>
      {onRemove && (
        <ActionIcon {...look} aria-label={t('storefront.remove', { name })} onClick={onRemove}>
          <IconX size="1.15em" aria-hidden />
        </ActionIcon>
      )}
    </span>
  );
}
