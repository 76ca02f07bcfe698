import type { VersionDetails } from '../../../contract/version.ts';
import { t } from '../../messages/t.ts';
import { Badge } from '../../ui/badge.tsx';
import { TextDiff } from '../../ui/text-diff.tsx';
import { changedFields, changedKnowledge, type KnowledgeChange } from './changes-between.ts';
import style from './versions.module.css';

interface DifferencesProps {
  before: VersionDetails;
  after: VersionDetails;
}

/** What differs in the second version, setting by setting and item by item. */
export function Differences({ before, after }: DifferencesProps) {
  const fields = changedFields(before.settings, after.settings);
  const items = changedKnowledge(before, after);
  if (fields.length + items.length === 0) return <p role="status">{t('versions.sameAs')}</p>;
  return (
    <div className={style['changes']}>
      {fields.length > 0 && <h2>{t('versions.settings')}</h2>}
      {fields.map(({ field, title, before: old, after: now }) => (
        <section key={field} className={style['change']} aria-label={title}>
          <h3>{title}</h3>
          <TextDiff before={old} after={now} />
        </section>
      ))}
      {items.length > 0 && (
        <section className={style['change']} aria-label={t('versions.knowledge')}>
          <h2>{t('versions.knowledge')}</h2>
          <p className={style['soft']}>{t('versions.knowledgeHint')}</p>
          <ul className={style['items']}>
            {items.map((item) => (
              <Item key={item.id} item={item} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

const tones = { added: 'good', removed: 'bad', changed: 'accent' } as const;

function Item({ item: { title, kind, before, after } }: { item: KnowledgeChange }) {
  return (
    <li>
      <Badge tone={tones[kind]}>{t(`versions.${kind}`)}</Badge>
      <span>{title}</span>
      {kind === 'changed' && (
        <span className={style['soft']}>{t('versions.fromRevision', { before, after })}</span>
      )}
    </li>
  );
}
