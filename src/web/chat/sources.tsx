import type { Citation } from '../../contract/chat.ts';
import style from './conversation.module.css';
import { t } from './text.ts';

interface SourcesProps {
  text: string;
  citations: readonly Citation[];
  onCite: (citation: Citation) => void;
}

/** The passages that an answer rests on, by the names of their documents; one entry for each document. */
export function Sources({ text, citations, onCite }: SourcesProps) {
  const cited = citations.filter(({ number }) => text.includes(`[${number}]`));
  const documents = cited.filter(
    (citation, index) => cited.findIndex(({ sourceId }) => sourceId === citation.sourceId) === index,
  );
  if (documents.length === 0) return null;
  return (
    <ul className={style['sources']} aria-label={t('chat.sources')}>
      {documents.map((citation) => (
        <li key={citation.chunkId}>
          <button type="button" onClick={() => onCite(citation)}>
            {citation.title}
          </button>
        </li>
      ))}
    </ul>
  );
}
