import { t } from '../messages/t.ts';
import style from './hidden.module.css';

/** The ID of every layout's `main`. */
export const MAIN_ID = 'main';

/** Lets keyboard users skip the bars. */
export function SkipLink() {
  return (
    <a className={style['skip']} href={`#${MAIN_ID}`}>
      {t('ui.skip')}
    </a>
  );
}
