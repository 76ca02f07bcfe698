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

/** The widget's frame: a visitor's chat with an agent, or why there is none. */
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
  // A different person starts afresh, and sees nothing of the previous one.
  const { visitorId, agent: visited } = state.visit;
  return <VisitorChat key={state.person} {...{ place, panel, visits, outbox, visitorId, agent: visited }} />;
}

/** Escape closes the panel, unless something else is open that it closes. */
function useEscape({ site }: Place): void {
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && !document.querySelector('aside, dialog')) tellLoader(site, { type: 'close' });
    };
    // Elements that handle the key themselves, an editor or a form, stop it from getting here.
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [site]);
}
