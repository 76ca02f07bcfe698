import { useEffect, useRef, useState } from 'react';
import { Hidden } from '../ui/hidden.tsx';
import type { Activity } from './conversation-state.ts';
import { plainText } from './plain-text.ts';
import type { ShownMessage } from './types.ts';

interface AnnouncerProps {
  messages: readonly ShownMessage[];
  activity: Activity;
}

/** Announces an answer to screen readers sentence by sentence as it arrives, and nothing twice. */
export function Announcer({ messages, activity }: AnnouncerProps) {
  const [sentence, setSentence] = useState('');
  const heard = useRef({ id: '', length: 0 });
  const last = messages.findLast(({ role }) => role === 'assistant' || role === 'operator');
  useEffect(() => {
    if (!last || last.id === null) return;
    // A person's message arrives whole; the first message on the page is not new.
    const isNew = last.role === 'operator' && heard.current.id !== '';
    const isLive = activity !== 'idle' || isNew;
    if (heard.current.id !== last.id) {
      // An answer that was complete when the page opened is read by the screen reader on demand.
      heard.current = { id: last.id, length: isLive ? 0 : last.text.length };
    }
    const end = isLive && !isNew ? endOfSentences(last.text) : last.text.length;
    if (end <= heard.current.length) return;
    setSentence(plainText(last.text.slice(heard.current.length, end)));
    heard.current.length = end;
  }, [last, activity]);
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
