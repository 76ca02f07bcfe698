import type { Knowledge } from '../../../contract/knowledge.ts';
import { formatBytes, formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { TimeAgo } from '../../ui/time-ago.tsx';
import style from './knowledge.module.css';
import { StateBadge } from './state-badge.tsx';

/** What is known about an item beside its text. */
export function ItemFacts({ item }: { item: Knowledge }) {
  const { type, progress, characters, chunks, links, files, createdAt } = item;
  return (
    <dl className={style['facts']}>
      <dt>{t('knowledge.type')}</dt>
      <dd>{t(`knowledge.type.${type}`)}</dd>
      <dt>{t('knowledge.stateTitle')}</dt>
      <dd>
        <StateBadge progress={progress} />
      </dd>
      <dt>{t('knowledge.size')}</dt>
      <dd>
        {t('knowledge.characters#', { count: characters, number: formatNumber(characters) })},{' '}
        {t('knowledge.passages#', { count: chunks, number: formatNumber(chunks) })}
      </dd>
      {links.length > 0 && <dt>{t('knowledge.links')}</dt>}
      {links.length > 0 && (
        <dd>
          {links.map((link) => (
            <div key={link}>
              <a href={link} target="_blank" rel="noopener noreferrer nofollow">
                {link}
              </a>
            </div>
          ))}
        </dd>
      )}
      {files.length > 0 && <dt>{t('knowledge.files')}</dt>}
      {files.length > 0 && (
        <dd>
          {files.map(({ id, name, sizeBytes }) => (
            <div key={id}>{t('knowledge.fileSize', { name, size: formatBytes(sizeBytes) })}</div>
          ))}
        </dd>
      )}
      <dt>{t('knowledge.addedAt')}</dt>
      <dd>
        <TimeAgo at={createdAt} />
      </dd>
    </dl>
  );
}
