import { SegmentedControl, Stack } from '@mantine/core';
import { IconArrowLeft, IconExternalLink } from '@tabler/icons-react';
import { useState } from 'react';
import type { Source } from '../../../contract/source.ts';
import { Product } from '../../chat/product-cards.tsx';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { isNotFound, viewOf } from '../../queries/query-props.ts';
import { Callout } from '../../ui/callout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ItemLink } from './item-link.tsx';
import style from './knowledge.module.css';
import { PassageList } from './passage-list.tsx';
import type { Place } from './place.ts';
import { SourceText } from './source-text.tsx';
import { useSourceText, type ItemKey } from './use-sources.ts';

interface SourceViewProps {
  item: ItemKey;
  sourceId: string;
  place: Place;
  /** The item has no other source, so there is no list to go back to. */
  isOnly: boolean;
}

/** A source: its text as the agent sees it, and the passages it is searched by. */
export function SourceView({ item, sourceId, place, isOnly }: SourceViewProps) {
  const text = useSourceText(item, sourceId, place.at ?? 0);
  if (isNotFound(text.error))
    return (
      <Notice
        title={t('knowledge.sourceGone')}
        text={t('knowledge.sourceGoneText')}
        action={<ItemLink knowledgeId={item.knowledgeId}>{t('knowledge.allSources')}</ItemLink>}
      />
    );
  return (
    <Stack>
      {!isOnly && (
        <ItemLink knowledgeId={item.knowledgeId} className={style['back']}>
          <IconArrowLeft size="1em" aria-hidden /> {t('knowledge.allSources')}
        </ItemLink>
      )}
      <QueryView {...viewOf(text)} data={text.data?.pages[0]?.source} shape="card">
        {(source) => (
          <>
            <SourceHead source={source} isOnly={isOnly} />
            <SourceBody item={item} source={source} text={text} place={place} />
          </>
        )}
      </QueryView>
    </Stack>
  );
}

function SourceHead({ source, isOnly }: { source: Source; isOnly: boolean }) {
  const { title, url, error, sameAs, card, knowledgeId } = source;
  return (
    <>
      {!isOnly && <h2 className={style['sourceTitle']}>{title}</h2>}
      {url && (
        <a className={style['url']} href={url} target="_blank" rel="noopener noreferrer nofollow">
          {url} <IconExternalLink size="1em" aria-hidden />
        </a>
      )}
      {error && <Callout tone="bad">{error}</Callout>}
      {sameAs && (
        <Callout>
          <span>
            {t('knowledge.sameText')}{' '}
            <ItemLink knowledgeId={knowledgeId} place={{ source: sameAs }}>
              {t('knowledge.openOther')}
            </ItemLink>
          </span>
        </Callout>
      )}
      {card && (
        <div className={style['card']}>
          <Product card={card} />
        </div>
      )}
    </>
  );
}

interface SourceBodyProps {
  item: ItemKey;
  source: Source;
  text: ReturnType<typeof useSourceText>;
  place: Place;
}

function SourceBody({ item, source, text, place }: SourceBodyProps) {
  const [shown, setShown] = useState('text');
  const { chunks, id } = source;
  return (
    <>
      <div>
        <SegmentedControl
          aria-label={t('knowledge.show')}
          value={shown}
          onChange={setShown}
          data={[
            { value: 'text', label: t('knowledge.asSeen') },
            {
              value: 'passages',
              label: t('knowledge.passages#', { count: chunks, number: formatNumber(chunks) }),
            },
          ]}
        />
      </div>
      {shown === 'text' ? (
        <SourceText text={text} place={place} />
      ) : (
        <PassageList item={item} sourceId={id} onShow={() => setShown('text')} />
      )}
    </>
  );
}
