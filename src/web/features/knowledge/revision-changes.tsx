import { Stack } from '@mantine/core';
import type { RevisionChange } from '../../../contract/revision.ts';
import { t } from '../../messages/t.ts';
import { listOf, moreOf } from '../../queries/query-props.ts';
import { Badge } from '../../ui/badge.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import style from './knowledge.module.css';
import { useRevision } from './use-revisions.ts';
import type { ItemKey } from './use-sources.ts';

const tones = { added: 'good', changed: 'accent', removed: 'bad' } as const;

/** The sources a revision adds, changes and removes. */
export function RevisionChanges({ item, number }: { item: ItemKey; number: number }) {
  const revision = useRevision(item, number);
  return (
    <Stack gap="xs">
      <QueryView {...listOf(revision, (page) => page.changes)} shape="line">
        {(list) =>
          list.length === 0 ? (
            <p className={style['soft']}>{t('knowledge.noChanges')}</p>
          ) : (
            <ul className={style['changes']} aria-label={t('knowledge.changesOf', { number })}>
              {list.map((change) => (
                <Change key={`${change.change} ${change.sourceId}`} change={change} />
              ))}
            </ul>
          )
        }
      </QueryView>
      <ShowMore {...moreOf(revision)} />
    </Stack>
  );
}

function Change({ change: { change, title, url } }: { change: RevisionChange }) {
  return (
    <li>
      <Badge tone={tones[change]}>{t(`knowledge.change.${change}`)}</Badge>
      <span>
        {title}
        {url !== null && url !== title && <span className={style['detail']}>{url}</span>}
      </span>
    </li>
  );
}
