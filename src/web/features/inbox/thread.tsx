import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { Citation, Message } from '../../../contract/chat.ts';
import type { InboxConversation, Note } from '../../../contract/inbox.ts';
import { Markdown } from '../../chat/markdown/markdown.tsx';
import { t } from '../../messages/t.ts';
import { Badge } from '../../ui/badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import style from './inbox.module.css';
import { PassageDialog } from './passage-dialog.tsx';

interface ThreadProps {
  conversation: InboxConversation;
  /** Newest first. */
  messages: readonly Message[];
  notes: readonly Note[];
  /** Loads earlier messages; undefined at the beginning. */
  earlier: (() => void) | undefined;
}

/** Messages and notes in chronological order. */
export function Thread({ conversation, messages, notes, earlier }: ThreadProps) {
  const frame = useScrolledTo(`${messages[0]?.id} ${notes.at(-1)?.id}`);
  const oldest = messages.at(-1)?.createdAt ?? '';
  const shown = [
    ...messages.toReversed().map((message) => ({ at: message.createdAt, message })),
    ...notes
      .filter(({ createdAt }) => !earlier || createdAt >= oldest)
      .map((note) => ({ at: note.createdAt, note })),
  ].toSorted((one, other) => one.at.localeCompare(other.at));
  return (
    <div
      ref={frame}
      className={style['thread']}
      tabIndex={0}
      role="log"
      aria-label={t('inbox.thread')}
      aria-live="polite"
    >
      {earlier && (
        <Button variant="subtle" size="xs" onClick={earlier}>
          {t('inbox.earlier')}
        </Button>
      )}
      <ol className={style['said']}>
        {shown.map((each) =>
          'note' in each ? (
            <li key={each.note.id} className={style['note']}>
              <Speaker
                name={each.note.author?.name ?? t('inbox.somebody')}
                at={each.at}
                mark={t('inbox.note')}
              />
              <p className={style['plain']}>{each.note.text}</p>
            </li>
          ) : (
            <li key={each.message.id} className={style[each.message.role === 'user' ? 'theirs' : 'ours']}>
              <Words conversation={conversation} message={each.message} />
            </li>
          ),
        )}
      </ol>
    </div>
  );
}

function Words({ conversation, message }: { conversation: InboxConversation; message: Message }) {
  const { role, author, text, citations, error, createdAt } = message;
  const [shown, setShown] = useState<Citation>();
  const isAgent = role === 'assistant';
  const name = isAgent
    ? conversation.agent.name
    : (author?.name ?? (role === 'user' ? conversation.endUser.name : t('inbox.somebody')));
  return (
    <>
      <Speaker
        name={name}
        at={createdAt}
        mark={isAgent ? t('inbox.byAgent') : role === 'operator' ? t('inbox.byPerson') : undefined}
      />
      {isAgent ? (
        <Markdown text={text} citations={citations} onCite={setShown} />
      ) : (
        <p className={style['plain']}>{text}</p>
      )}
      {message.attachments.map(({ id, name: file }) => (
        <p key={id} className={style['faint']}>
          {t('inbox.file', { name: file })}
        </p>
      ))}
      {error && <p className={style['error']}>{error}</p>}
      {shown && (
        <PassageDialog agentId={conversation.agent.id} citation={shown} onClose={() => setShown(undefined)} />
      )}
    </>
  );
}

function Speaker({ name, at, mark }: { name: string; at: string; mark: string | undefined }) {
  return (
    <p className={style['speaker']}>
      <span className={style['name']}>{name}</span>
      {mark && <Badge>{mark}</Badge>}
      <span className={style['faint']}>
        <TimeAgo at={at} />
      </span>
    </p>
  );
}

/** Scrolls to the latest entry. */
function useScrolledTo(last: string) {
  const frame = useRef<HTMLDivElement>(null);
  const shown = useRef('');
  useEffect(() => {
    if (shown.current === last) return;
    shown.current = last;
    frame.current?.scrollTo({ top: frame.current.scrollHeight });
  }, [last]);
  return frame;
}
