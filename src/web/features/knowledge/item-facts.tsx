import type { ReactNode } from 'react';
import type { Knowledge } from '../../../contract/knowledge.ts';
import { formatBytes, formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import { More } from '../../ui/more.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { nameOfSchedule, usePlanSchedules } from './plan-schedules.ts';

/** Longer lists of addresses are collapsed. */
const LINKS_SHOWN = 3;

/** The facts about an item besides its text. */
export function ItemFacts({ item, agentId }: { item: Knowledge; agentId: string }) {
  const { characters, chunks, links, files, createdAt, syncedAt } = item;
  return (
    <Facts>
      <Fact name={t('knowledge.size')}>
        {t('knowledge.characters#', { count: characters, number: formatNumber(characters) })},{' '}
        {t('knowledge.passages#', { count: chunks, number: formatNumber(chunks) })}
      </Fact>
      {links.length > 0 && (
        <Fact name={t('knowledge.addresses')}>
          <Links item={item} />
        </Fact>
      )}
      {files.length > 0 && (
        <Fact name={t('knowledge.files')}>
          {files.map(({ id, name, sizeBytes }) => (
            <div key={id}>
              <a href={`/v1/chatbot/${agentId}/knowledge/${item.id}/file/${id}`} download>
                {t('knowledge.fileSize', { name, size: formatBytes(sizeBytes) })}
              </a>
            </div>
          ))}
        </Fact>
      )}
      {syncedAt && (
        <Fact name={t('knowledge.read')}>
          <TimeAgo at={syncedAt} />
        </Fact>
      )}
      {item.site && (
        <Fact name={t('knowledge.readsAgain')}>
          <Schedule item={item} />
        </Fact>
      )}
      <Fact name={t('knowledge.addedAt')}>
        <TimeAgo at={createdAt} />
      </Fact>
    </Facts>
  );
}

function Schedule({ item: { schedule, nextSyncAt } }: { item: Knowledge }) {
  const schedules = usePlanSchedules();
  return (
    <>
      {nameOfSchedule(schedule, schedules)}
      {nextSyncAt && schedules?.isReread !== false && (
        <>
          , {t('knowledge.next')} <TimeAgo at={nextSyncAt} />
        </>
      )}
    </>
  );
}

function Links({ item: { links, site } }: { item: Knowledge }) {
  const rest = links.slice(LINKS_SHOWN);
  return (
    <>
      {links.slice(0, LINKS_SHOWN).map(toLink)}
      {rest.length > 0 && (
        <More title={t('knowledge.moreLinks#', { count: rest.length })}>{rest.map(toLink)}</More>
      )}
      {site && site.mode !== 'links' && <div>{t(`knowledge.modeText.${site.mode}`)}</div>}
    </>
  );
}

function toLink(link: string): ReactNode {
  return (
    <div key={link}>
      <a href={link} target="_blank" rel="noopener noreferrer nofollow">
        {link}
      </a>
    </div>
  );
}
