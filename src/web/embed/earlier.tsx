import { useCallback, useEffect, useState } from 'react';
import type { Conversation } from '../../contract/chat.ts';
import style from './embed.module.css';
import { t } from './text.ts';
import type { VisitorClient } from './transport.ts';

const PAGE_SIZE = 20;

interface EarlierProps {
  client: VisitorClient;
  onChoose: (conversationId: string) => void;
  onBack: () => void;
}

/** This visitor's earlier conversations with the agent, newest first; any of them can be continued. */
export function Earlier({ client, onChoose, onBack }: EarlierProps) {
  const [found, setFound] = useState<Conversation[]>([]);
  const [cursor, setCursor] = useState<string | null>(null);
  const [said, setSaid] = useState<string>(t('embed.working'));
  const read = useCallback(
    (from?: string) => {
      client.chat.list({ count: PAGE_SIZE, begun: 'true', ...(from && { cursor: from }) }).then(
        ({ conversations, nextCursor }) => {
          setFound((before) => (from ? [...before, ...conversations] : conversations));
          setCursor(nextCursor);
          setSaid(conversations.length === 0 && !from ? t('embed.noneEarlier') : '');
        },
        () => setSaid(t('embed.failed')),
      );
    },
    [client],
  );
  useEffect(() => read(), [read]);
  return (
    <section className={style['data']} aria-label={t('embed.earlier')}>
      <h2>{t('embed.earlier')}</h2>
      <p role="status">{said}</p>
      <ul className={style['earlier']}>
        {found.map(({ id, title, updatedAt }) => (
          <li key={id}>
            <button type="button" onClick={() => onChoose(id)}>
              <span>{title}</span>
              <time dateTime={updatedAt}>{new Date(updatedAt).toLocaleDateString()}</time>
            </button>
          </li>
        ))}
      </ul>
      {cursor !== null && (
        <button type="button" onClick={() => read(cursor)}>
          {t('embed.moreEarlier')}
        </button>
      )}
      <button type="button" onClick={onBack}>
        {t('embed.back')}
      </button>
    </section>
  );
}
