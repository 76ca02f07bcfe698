import { IconPlayerStopFilled, IconVolume } from '@tabler/icons-react';
import { useEffect } from 'react';
import { createStore, useStore } from '../store.ts';
import { useParts } from './conversation-context.ts';
import { IconButton } from './icon-button.tsx';
import { t } from './answer-text.ts';
import type { ShownMessage } from './types.ts';

/** The message that is being read: one voice at a time. */
const reading = createStore<{ key: string; stop: () => void } | null>(null);

function stopReading(): void {
  reading.get()?.stop();
  reading.set(null);
}

/** Reads an answer aloud: by the browser's voices, else by the server's. */
export function ReadAloudButton({ message }: { message: ShownMessage }) {
  const { agent, transport } = useParts();
  const current = useStore(reading);
  const isReading = current?.key === message.key;
  useEffect(() => () => void (reading.get()?.key === message.key && stopReading()), [message.key]);
  if (!agent.voiceEnabled) return null;
  const start = async () => {
    stopReading();
    const stopping = new AbortController();
    const mine = { key: message.key, stop: () => stopping.abort() };
    reading.set(mine);
    const { readAloud } = await import('./read-aloud.ts');
    await readAloud(message, transport.voice, stopping.signal).catch(() => undefined);
    if (reading.get() === mine) reading.set(null);
  };
  return (
    <IconButton
      icon={isReading ? IconPlayerStopFilled : IconVolume}
      label={t(isReading ? 'chat.stopReading' : 'chat.readAloud')}
      onClick={() => (isReading ? stopReading() : void start())}
    />
  );
}
