import { useEffect, useRef, useState, type RefObject } from 'react';
import type { Dictating, Dictation, Listening } from './dictation.ts';
import type { ChatAgent, ChatTransport } from './types.ts';
import { whenOnline } from '../ui/when-online.ts';

interface DictationSetup {
  agent: ChatAgent;
  transport: ChatTransport;
  /** Where speech is kept until it is transcribed. */
  draftKey: string | undefined;
  field: RefObject<HTMLTextAreaElement | null>;
}

/** `busy`: recording is over, and transcription is in progress. `held`: that failed or was interrupted, and can be retried. */
type State = 'idle' | 'listening' | 'busy' | 'failed' | 'held';

/** Dictates into the composer: speech is added after the existing text. Canceling restores everything but the speech. */
export function useDictation({ agent, transport, draftKey, field }: DictationSetup) {
  const [state, setState] = useState<State>('idle');
  const way = useWay(agent.voiceEnabled === true, transport);
  useHeld(way, draftKey, setState);
  const current = useRef<{ dictation: Dictation; write: (said: string) => void } | null>(null);
  const end = (next: State) => {
    current.current = null;
    setState(next);
  };
  useEffect(() => () => current.current?.dictation.leave(), []);

  const start = async (begin: (listening: Listening) => Dictation | Promise<Dictation>) => {
    if (!way || !field.current) return;
    let isOver = false;
    const write = way.into(field.current);
    const listening: Listening = {
      onText: (said) => isOver || write(said),
      onWriting: () => isOver || setState('busy'),
      onEnd: (failed) => isOver || end(way.held?.isThere() ? 'held' : failed ? 'failed' : 'idle'),
    };
    const leave = () => {
      isOver = true;
      end('idle');
    };
    setState('listening');
    // It can be canceled even while the person is asked for the microphone.
    current.current = { write, dictation: { finish: leave, cancel: leave, leave } };
    try {
      const dictation = await begin(listening);
      if (isOver) return dictation.cancel();
      const cancel = () => {
        leave();
        dictation.cancel();
      };
      current.current = { write, dictation: { ...dictation, cancel } };
    } catch {
      if (!isOver) end('failed');
    }
  };

  return {
    offered: way !== null,
    state,
    isRecording: state === 'listening' && way?.held !== undefined,
    start: () => void (way && start(way.begin)),
    again: () => void (way?.held && start(way.held.again)),
    /** Stops and keeps what was said. */
    finish: () => current.current?.dictation.finish(),
    /** Stops and removes what was said. */
    cancel: () => {
      current.current?.write('');
      current.current?.dictation.cancel();
    },
  };
}

/** The transcriber: the browser, the server, or none. */
function useWay(offered: boolean, transport: ChatTransport): Dictating | null {
  const [way, setWay] = useState<Dictating | null>(null);
  useEffect(() => {
    if (!offered) return;
    let isOver = false;
    const find = async () =>
      (await whenOnline(() => import('./dictation.ts'))).findDictating(transport.voice);
    find().then(
      (found) => isOver || setWay(found),
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [offered, transport]);
  return way;
}

/** Untranscribed speech from before the page was reloaded. */
function useHeld(way: Dictating | null, draftKey: string | undefined, tell: (state: 'held') => void): void {
  useEffect(() => way?.held?.keepUnder(draftKey), [way, draftKey]);
  useEffect(() => {
    if (way?.held?.isThere()) tell('held');
  }, [way, tell]);
}
