import { IconClockHour4 } from '@tabler/icons-react';
import { t } from '../../messages/t.ts';
import style from './chat.module.css';

export function TemporaryNotice() {
  return (
    <p className={style['temporary']} role="status">
      <IconClockHour4 size="1.15em" aria-hidden />
      {t('chats.temporaryText')}
    </p>
  );
}
