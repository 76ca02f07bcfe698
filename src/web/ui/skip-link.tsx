import { t } from '../messages/t.ts';
import style from './hidden.module.css';

/** Every layout's `main` has this id. */
export const MAIN_ID = 'main';

/** Lets keyboards pass over the bars to the page. */
export function SkipLink() {
  return (
    <a className={style['skip']} href={`#${MAIN_ID}`}>
      {t('ui.skip')}
    </a>
  );
}
