import { formatNumber } from '../format.ts';
import { t } from './text.ts';

/** Says by how much a message is too long, if it is. */
export function TooLong({ surplus }: { surplus: number }) {
  if (surplus <= 0) return null;
  return <p role="alert">{t('chat.tooLong#', { count: surplus, number: formatNumber(surplus) })}</p>;
}
