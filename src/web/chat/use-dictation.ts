import { useEffect, useRef, useState } from 'react';
import type { Dictation, Listening } from './dictation.ts';
import type { ChatTransport } from './types.ts';

interface DictationSetup {
  offered: boolean;
  transport: ChatTransport;
  text: string;
  setText: (text: string) => void;
}

/** `busy`: it is over, and what was said is being written down. */
type State = 'idle' | 'listening' | 'busy' | 'failed';

/** Speaks into the composer: what is said comes after what is there already. Cancelled, that is all there is again. */
export function useDictation({ offered, transport, text, setText }: DictationSetup) {
  const [state, setState] = useState<State>('idle');
  const way = useWay(offered, transport);
  const current = useRef<{ dictation: Dictation; before: string } | null>(null);
  const end = (next: State) => {
    current.current = null;
    setState(next);
  };
  useEffect(() => () => current.current?.dictation.cancel(), []);

  const start = async () => {
    const before = text;
    let isOver = false;
    const listening: Listening = {
      onText: (said) => isOver || setText([before.trimEnd(), said].filter(Boolean).join(' ')),
      onEnd: (failed) => isOver || end(failed ? 'failed' : 'idle'),
    };
    const leave = () => {
      isOver = true;
      end('idle');
    };
    setState('listening');
    // While the person is asked for the microphone, too, there is a way out.
    current.current = { before, dictation: { finish: leave, cancel: leave } };
    try {
      const dictation = await begin(way, listening, transport);
      if (isOver) return dictation.cancel();
      const cancel = () => {
        leave();
        dictation.cancel();
      };
      current.current = { before, dictation: { finish: dictation.finish, cancel } };
    } catch {
      if (!isOver) end('failed');
    }
  };

  return {
    offered: way !== null,
    state,
    start: () => void start(),
    /** Over, and what was said counts. */
    finish: () => {
      if (way === 'server') setState('busy');
      current.current?.dictation.finish();
    },
    /** Over, and what was said before stays as it is now. */
    leave: () => current.current?.dictation.cancel(),
    cancel: () => {
      setText(current.current?.before ?? text);
      current.current?.dictation.cancel();
    },
  };
}

type Way = 'browser' | 'server' | null;

async function begin(way: Way, listening: Listening, transport: ChatTransport): Promise<Dictation> {
  const { recognize, record } = await import('./dictation.ts');
  const { voice } = transport;
  if (way === 'server' && voice) return record(listening, (recording) => voice.transcribe(recording));
  return recognize(listening);
}

/** Who writes down what is said: the browser, the server, or nobody. */
function useWay(offered: boolean, transport: ChatTransport): Way {
  const [way, setWay] = useState<Way>(null);
  useEffect(() => {
    if (!offered) return;
    let isOver = false;
    const find = async () => {
      const { canRecognize, canRecord } = await import('./dictation.ts');
      if (canRecognize()) return 'browser';
      return canRecord() && (await transport.voice?.abilities())?.transcription ? 'server' : null;
    };
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
