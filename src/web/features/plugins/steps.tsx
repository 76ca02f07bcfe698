import type { PluginType } from '../../../contract/plugin-names.ts';
import { t } from '../../messages/t.ts';
import style from './plugins.module.css';
import { stepsOf } from './plugin-words.ts';

/** The steps at the service. */
export function Steps({ type }: { type: PluginType }) {
  return (
    <ol className={style['steps']}>
      {stepsOf[type].map((step) => (
        <li key={step}>{t(step)}</li>
      ))}
    </ol>
  );
}
