import { Stack } from '@mantine/core';
import type { Chunk } from '../../../contract/source.ts';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { listOf, moreOf } from '../../queries/query-props.ts';
import { Notice } from '../../ui/notice.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { ItemLink } from './item-link.tsx';
import style from './knowledge.module.css';
import { passagePlace } from './passage-place.ts';
import { useChunks, type ItemKey } from './use-sources.ts';

interface PassageListProps {
  item: ItemKey;
  sourceId: string;
  /** Called when a passage should be shown in the text, even if it is already the selected one. */
  onShow: () => void;
}

/** A source's passages, in order. */
export function PassageList({ item, sourceId, onShow }: PassageListProps) {
  const list = useChunks(item, sourceId);
  return (
    <Stack>
      <QueryView {...listOf(list, (page) => page.chunks)} shape="card">
        {(found) =>
          found.length === 0 ? (
            <Notice title={t('knowledge.noPassages')} text={t('knowledge.noTextYet')} />
          ) : (
            <ol className={style['passages']}>
              {found.map((chunk) => (
                <Passage key={chunk.id} chunk={chunk} item={item} sourceId={sourceId} onShow={onShow} />
              ))}
            </ol>
          )
        }
      </QueryView>
      <ShowMore {...moreOf(list)} />
    </Stack>
  );
}

function Passage({ chunk, item, sourceId, onShow }: PassageListProps & { chunk: Chunk }) {
  const { ordinal, text, offset } = chunk;
  return (
    <li className={style['passage']}>
      <div className={style['passageHead']}>
        <span className={style['number']}>{formatNumber(ordinal + 1)}</span>
        <span>{passagePlace(chunk)}</span>
        <span>{t('knowledge.characters#', { count: text.length, number: formatNumber(text.length) })}</span>
        <ItemLink
          knowledgeId={item.knowledgeId}
          place={{ source: sourceId, at: offset, length: text.length }}
          className={style['end']}
          onClick={onShow}
        >
          {t('knowledge.showInText')}
        </ItemLink>
      </div>
      <p className={style['passageText']}>{text}</p>
    </li>
  );
}
