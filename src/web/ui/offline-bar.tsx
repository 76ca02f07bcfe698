import { t } from '../messages/t.ts';
import style from './offline-bar.module.css';

export function OfflineBar() {
  return (
    <p className={style['bar']} role="status">
      {t('ui.offline')}
    </p>
  );
}
