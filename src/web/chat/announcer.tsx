import { useEffect, useRef, useState } from 'react';
import { Hidden } from '../ui/hidden.tsx';
import { useParts } from './conversation-context.ts';
import { plainText } from './plain-text.ts';
import type { ShownMessage } from './types.ts';

/** Announces to screen readers what arrives, and nothing twice: answers, and what other people say. */
export function Announcer() {
  const { chat, me } = useParts();
  const { messages, activity, loading } = chat;
  const answer = messages.findLast(({ role }) => role === 'assistant');
  const newest = messages.at(-1);
  // Earlier messages that are loaded later come before it.
  const others = newest?.author && newest.author.id !== me ? newest : undefined;
  return (
    <>
      <Announced message={answer} isLive={activity !== 'idle'} />
      <Announced message={others} isLive={loading === 'ready'} />
    </>
  );
}

interface AnnouncedProps {
  message: ShownMessage | undefined;
  isLive: boolean;
}

/** An answer sentence by sentence as it arrives; a person's message, which is not Markdown, whole and with their name. */
function Announced({ message, isLive }: AnnouncedProps) {
  const [sentence, setSentence] = useState('');
  const heard = useRef({ id: '', length: 0 });
  const wasLive = useRef(false);
  useEffect(() => {
    // What is there when the page opens is read by the screen reader on demand.
    const isNew = isLive && (!message?.author || wasLive.current);
    wasLive.current = isLive;
    if (!message || message.id === null) return;
    const { id, text, author } = message;
    if (heard.current.id !== id) heard.current = { id, length: isNew ? 0 : text.length };
    const end = isLive && !author ? endOfSentences(text) : text.length;
    if (end <= heard.current.length) return;
    setSentence(author ? `${author.name}: ${text}` : plainText(text.slice(heard.current.length, end)));
    heard.current.length = end;
  }, [message, isLive]);
  return (
    <div aria-live="polite" aria-atomic="true">
      <Hidden>{sentence}</Hidden>
    </div>
  );
}

/** The end of the last complete sentence or line. */
function endOfSentences(text: string): number {
  const ends = [...text.matchAll(/[.!?:](?=\s)|[。！？]|\n/g)];
  const last = ends.at(-1);
  return last ? last.index + last[0].length : 0;
}
