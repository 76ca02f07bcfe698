import { t } from '../messages/t.ts';
import style from './offline-bar.module.css';

/** What keeps the page from the server: there is no network, or no server at the other end. */
export function OfflineBar() {
  return (
    <p className={style['bar']} role="status">
      {t(navigator.onLine ? 'ui.serverAway' : 'ui.offline')}
    </p>
  );
}
