import { useEffect } from 'react';
import { useStore } from '../store.ts';
import { Bare } from './bare.tsx';
import { dress } from './dress.ts';
import style from './embed.module.css';
import type { Outbox } from './outbox.ts';
import type { Panel } from './panel.ts';
import { tellLoader, type Place } from './place.ts';
import { Refusal } from './refusal.tsx';
import { t } from './text.ts';
import { VisitorChat } from './visitor-chat.tsx';
import type { Visits } from './visits.ts';

interface EmbedProps {
  place: Place;
  panel: Panel;
  visits: Visits;
  outbox: Outbox;
}

/** The widget's frame: one visitor's chat with one agent, or why there is none. */
export function Embed({ place, panel, visits, outbox }: EmbedProps) {
  const state = useStore(visits.state);
  const waiting = useStore(outbox.waiting);
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
      <Bare site={place.site}>
        <p className={style['centre']} role="status">
          {t('embed.loading')}
        </p>
      </Bare>
    );
  if (state.status === 'refused')
    return (
      <Bare site={place.site}>
        <Refusal code={state.code} waiting={waiting} onRetry={visits.enter} />
      </Bare>
    );
  // Somebody else begins anew, and sees nothing of who was here before.
  const { visitorId, agent: visited } = state.visit;
  return <VisitorChat key={state.person} {...{ place, panel, visits, outbox, visitorId, agent: visited }} />;
}

/** Escape closes the panel, unless there is something else open that it closes. */
function useEscape({ site }: Place): void {
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && !document.querySelector('aside, dialog')) tellLoader(site, { type: 'close' });
    };
    // What takes the key for itself, an editor or a form, keeps it from coming here.
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [site]);
}
