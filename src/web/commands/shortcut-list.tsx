import { Fragment } from 'react';
import { t } from '../messages/t.ts';
import { useStore } from '../store.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Hidden } from '../ui/hidden.tsx';
import { opened } from './opened.ts';
import style from './shortcut-list.module.css';
import { shortcuts, shownKey } from './shortcuts.ts';
import { singleKeys, switchSingleKeys } from './single-keys.ts';

/** The list of shortcuts, and the switch for those that speech input could trigger. */
export function ShortcutList() {
  const areOn = useStore(singleKeys);
  return (
    <Dialog title={t('commands.shortcuts')} onClose={() => opened.set(null)}>
      <dl className={style['list']}>
        {shortcuts.map(({ act, keys, title }) => (
          <Fragment key={act}>
            <dt>{t(title)}</dt>
            <dd data-off={!areOn && !keys[0]?.startsWith('Mod+')}>
              <Keys keys={keys} />
            </dd>
          </Fragment>
        ))}
      </dl>
      <label className={style['switch']}>
        <input
          type="checkbox"
          checked={areOn}
          onChange={(event) => switchSingleKeys(event.currentTarget.checked)}
        />
        <span>
          {t('commands.singleKeys')}
          <span className={style['hint']}>{t('commands.singleKeysHint')}</span>
        </span>
      </label>
    </Dialog>
  );
}

function Keys({ keys }: { keys: readonly string[] }) {
  return keys.map((key, index) => (
    <Fragment key={key}>
      {index > 0 && <Hidden> {t('commands.then')} </Hidden>}
      <kbd className={style['key']}>{shownKey(key)}</kbd>
    </Fragment>
  ));
}
