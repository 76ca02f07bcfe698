import { IconPlayerStopFilled, IconVolume } from '@tabler/icons-react';
import { useEffect } from 'react';
import { createStore, useStore } from '../store.ts';
import { useParts } from './conversation-context.ts';
import style from './conversation.module.css';
import { IconButton } from './icon-button.tsx';
import { t } from './answer-text.ts';
import type { ShownMessage } from './types.ts';

/** The message being read, or meant to be: one voice at a time. */
const reading = createStore<{ key: string; stop: () => void; hasFailed?: true } | null>(null);

function stopReading(): void {
  reading.get()?.stop();
  reading.set(null);
}

/** Reads an answer aloud with the browser's voices, otherwise the server's. */
export function ReadAloudButton({ message }: { message: ShownMessage }) {
  const { agent, transport } = useParts();
  const current = useStore(reading);
  const mine = current?.key === message.key ? current : null;
  const isReading = mine !== null && !mine.hasFailed;
  useEffect(() => () => void (reading.get()?.key === message.key && stopReading()), [message.key]);
  if (!agent.voiceEnabled) return null;
  const start = async () => {
    stopReading();
    const stopping = new AbortController();
    const begun = { key: message.key, stop: () => stopping.abort() };
    reading.set(begun);
    const end = await import('./read-aloud.ts')
      .then(({ readAloud }) => readAloud(message, transport.voice, stopping.signal))
      .then(
        () => null,
        () => ({ ...begun, hasFailed: true as const }),
      );
    if (reading.get() === begun) reading.set(end);
  };
  return (
    <>
      <IconButton
        icon={isReading ? IconPlayerStopFilled : IconVolume}
        label={t(isReading ? 'chat.stopReading' : 'chat.readAloud')}
        onClick={() => (isReading ? stopReading() : void start())}
      />
      {mine?.hasFailed && (
        <p className={style['problem']} role="alert">
          {t('chat.readingFailed')}
        </p>
      )}
    </>
  );
}
