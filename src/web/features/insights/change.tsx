import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react';
import { formatShare } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { Hidden } from '../../ui/hidden.tsx';
import style from './insights.module.css';

interface ChangeProps {
  now: number;
  before: number;
  /** Formats the value like the number itself. */
  write: (value: number) => string;
  /** Whether an increase is good, bad, or neither. */
  more?: 'good' | 'bad';
}

/**
 * The change from the previous period: an arrow and the amount, or a dash if nothing changed or there was nothing
 * before; as text for screen readers.
 */
export function Change({ now, before, write, more }: ChangeProps) {
  if (now === before || before === 0)
    return (
      <span className={style['change']}>
        <span aria-hidden>–</span>
        <Hidden>{t(now === before ? 'insights.same' : 'insights.new')}</Hidden>
      </span>
    );
  const isUp = now > before;
  const change = formatShare(Math.abs(now - before) / before);
  const Arrow = isUp ? IconArrowUpRight : IconArrowDownRight;
  const meaning = more && (isUp === (more === 'good') ? style['good'] : style['bad']);
  return (
    <span className={`${style['change']} ${meaning ?? ''}`}>
      <span aria-hidden>
        <Arrow size="1.1em" /> {change}
      </span>
      <Hidden>{t(isUp ? 'insights.up' : 'insights.down', { change, before: write(before) })}</Hidden>
    </span>
  );
}
