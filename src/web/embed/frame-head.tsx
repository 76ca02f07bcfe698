import { IconEdit, IconHistory, IconShieldLock } from '@tabler/icons-react';
import type { PublicAgent } from '../../contract/chatbot.ts';
import { Mark } from '../chat/mark.tsx';
import { CloseButton } from './bare.tsx';
import style from './embed.module.css';
import type { Place } from './place.ts';
import { t } from './text.ts';

interface FrameHeadProps extends Pick<Place, 'site'> {
  agent: PublicAgent;
  /** Set once there is a conversation that a new one could follow. */
  onNew: (() => void) | undefined;
  /** Set once there is one to go back to. */
  onEarlier: (() => void) | undefined;
  onData: () => void;
}

/** Shows whom the visitor talks to, with buttons for a new conversation and for closing. */
export function FrameHead({ site, agent, onNew, onEarlier, onData }: FrameHeadProps) {
  return (
    <header className={style['head']}>
      <Mark agent={agent} />
      <h1 className={style['name']}>{agent.name}</h1>
      {onNew && (
        <button type="button" aria-label={t('embed.new')} title={t('embed.new')} onClick={onNew}>
          <IconEdit size="1.25em" aria-hidden />
        </button>
      )}
      {onEarlier && (
        <button type="button" aria-label={t('embed.earlier')} title={t('embed.earlier')} onClick={onEarlier}>
          <IconHistory size="1.25em" aria-hidden />
        </button>
      )}
      <button type="button" aria-label={t('embed.data')} title={t('embed.data')} onClick={onData}>
        <IconShieldLock size="1.25em" aria-hidden />
      </button>
      <CloseButton site={site} />
    </header>
  );
}
