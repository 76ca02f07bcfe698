import { useEffect } from 'react';
import { useStore } from '../store.ts';
import { dress } from './dress.ts';
import style from './embed.module.css';
import type { Outbox } from './outbox.ts';
import { tellLoader, type Place } from './place.ts';
import { Refusal } from './refusal.tsx';
import { t } from './text.ts';
import { VisitorChat } from './visitor-chat.tsx';
import type { Visits } from './visits.ts';

interface EmbedProps {
  place: Place;
  visits: Visits;
  outbox: Outbox;
}

/** The widget's frame: one visitor's chat with one agent, or why there is none. */
export function Embed({ place, visits, outbox }: EmbedProps) {
  const state = useStore(visits.state);
  useEscape(place);
  useEffect(() => visits.enter(), [visits]);
  const agent = state.status === 'here' ? state.visit.agent : null;
  useEffect(() => {
    if (!agent) return;
    document.title = agent.name;
    dress(agent.appearance);
  }, [agent]);
  if (state.status === 'entering')
    return (
      <p className={style['centre']} role="status">
        {t('embed.loading')}
      </p>
    );
  if (state.status === 'refused') return <Refusal code={state.code} onRetry={visits.enter} />;
  // Somebody else begins anew, and sees nothing of who was here before.
  const { visitorId } = state.visit;
  return <VisitorChat key={visitorId} {...{ place, visits, outbox, agent: state.visit.agent }} />;
}

/** Escape closes the panel, unless there is something else open that it closes. */
function useEscape({ site }: Place): void {
  useEffect(() => {
    const onKey = ({ key, target }: KeyboardEvent) => {
      const isElsewhere = target instanceof Element && target.closest('aside, dialog') !== null;
      if (key === 'Escape' && !isElsewhere) tellLoader(site, { type: 'close' });
    };
    // Before those listen whose panel it closes.
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, [site]);
}
