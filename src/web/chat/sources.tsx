import { citedIn } from './cited.ts';
import { useParts } from './conversation-context.ts';
import style from './conversation.module.css';
import { t } from './answer-text.ts';
import type { ShownMessage } from './types.ts';

/** The passages an answer is based on, by document name; one entry per document. */
export function Sources({ message }: { message: ShownMessage }) {
  const { open } = useParts();
  const cited = citedIn(message.text, message.citations);
  const documents = cited.filter(
    (citation, index) => cited.findIndex(({ sourceId }) => sourceId === citation.sourceId) === index,
  );
  if (documents.length === 0) return null;
  return (
    <ul className={style['sources']} aria-label={t('chat.sources')}>
      {documents.map(({ chunkId, number, title }) => (
        <li key={chunkId}>
          <button type="button" onClick={() => open({ type: 'passages', key: message.key, number })}>
            {title}
          </button>
        </li>
      ))}
    </ul>
  );
}
