import { t } from '../answer-text.ts';
import type { CitationProps } from './markdown.tsx';
import style from './markdown.module.css';

/** Text in which each `[n]` that refers to a given passage is a button that opens it. */
export function CitedText({ text, citations, onCite }: CitationProps & { text: string }) {
  if (citations.length === 0 || !text.includes('[')) return text;
  return text.split(/(\s?\[\d{1,3}\])/).map((part, index) => {
    const citation = citations.find(({ number }) => part.trim() === `[${number}]`);
    if (!citation) return part;
    return (
      <span key={index} className={style['cited']}>
        {part.split('[')[0]}
        <button
          type="button"
          className={style['chip']}
          aria-label={t('chat.citation', { number: citation.number, title: citation.title })}
          title={citation.title}
          onClick={() => onCite(citation)}
        >
          {citation.number}
        </button>
      </span>
    );
  });
}
