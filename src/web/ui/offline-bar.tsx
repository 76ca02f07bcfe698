import { t } from '../messages/t.ts';
import style from './offline-bar.module.css';

/** Says that the server is unreachable: there is no network, or no server at the other end. */
export function OfflineBar() {
  return (
    <p className={style['bar']} role="status">
      {t(navigator.onLine ? 'ui.serverAway' : 'ui.offline')}
    </p>
  );
}
