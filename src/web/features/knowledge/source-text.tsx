import { Stack } from '@mantine/core';
import { t } from '../../messages/t.ts';
import { moreOf } from '../../queries/query-props.ts';
import { Notice } from '../../ui/notice.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import style from './knowledge.module.css';
import type { Place } from './place.ts';
import { piecesOf, type Piece } from './text-pieces.ts';
import type { useSourceText } from './use-sources.ts';

interface SourceTextProps {
  text: ReturnType<typeof useSourceText>;
  place: Place;
}

/** The text as the agent sees it; the passage in the address is highlighted and scrolled to. */
export function SourceText({ text, place: { at = 0, length = 0 } }: SourceTextProps) {
  const start = Number(text.data?.pageParams[0] ?? 0);
  const whole = text.data?.pages.map((page) => page.text).join('') ?? '';
  if (whole === '') return <Notice title={t('knowledge.noText')} text={t('knowledge.noTextYet')} />;
  return (
    <Stack>
      <ShowMore
        isMore={text.hasPreviousPage}
        busy={text.isFetchingPreviousPage}
        onMore={() => void text.fetchPreviousPage()}
      />
      <div className={style['text']} role="region" aria-label={t('knowledge.text')} tabIndex={0}>
        {piecesOf({ start, text: whole, at, length }).map(toElement)}
      </div>
      <ShowMore {...moreOf(text)} />
    </Stack>
  );
}

function toElement(piece: Piece, index: number) {
  if (piece.kind === 'text') return piece.text;
  if (piece.kind === 'mark')
    return (
      <mark key={index} ref={showAtOnce}>
        {piece.text}
      </mark>
    );
  const { page } = piece;
  return (
    <span key={index} className={style['pageBreak']}>
      {page === null ? t('knowledge.newPage') : t('knowledge.page', { page })}
    </span>
  );
}

/** As a ref: scrolls to the passage in the address when it appears. */
function showAtOnce(mark: HTMLElement | null): void {
  mark?.scrollIntoView({ block: 'center' });
}
