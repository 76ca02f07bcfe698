import { useEffect, useRef, useState, type RefObject } from 'react';
import { RECORDING_MAX_SECONDS } from '../../../contract/limits.ts';
import { canRecord, record, type Recording } from './record.ts';

/**
 * `asking`: the browser asks for the microphone. `done`: there is a recording. `refused`: the microphone may not be used.
 * `absent`: there is none. `busy`: it does not start, as when another program has it. `unsupported`: this browser records
 * nothing at this address.
 */
export type RecorderState = 'idle' | 'asking' | 'recording' | 'done' | Fault;
type Fault = 'refused' | 'absent' | 'busy' | 'unsupported';

const faults: readonly RecorderState[] = ['refused', 'absent', 'busy', 'unsupported'] satisfies Fault[];
export const isFault = (state: RecorderState): state is Fault => faults.includes(state);

/** By the names of the errors of `getUserMedia`. */
function faultOf(error: unknown): Fault {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotFoundError') return 'absent';
  return name === 'NotAllowedError' || name === 'SecurityError' ? 'refused' : 'busy';
}

const TICK_MS = 100;

/** A recording of at most `RECORDING_MAX_SECONDS`. */
export function useRecorder() {
  const [state, setState] = useState<RecorderState>('idle');
  const [made, setMade] = useState<Blob | null>(null);
  const current = useRef<Recording | null>(null);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      current.current?.drop();
    };
  }, []);
  const start = async () => {
    if (!canRecord()) return setState('unsupported');
    setMade(null);
    setState('asking');
    try {
      current.current = await record((recording) => {
        setMade(recording);
        setState('done');
      });
      if (isGone.current) current.current.drop();
      else setState('recording');
    } catch (error) {
      setState(faultOf(error));
    }
  };
  return {
    state,
    ...useProgress(state === 'recording' ? current : null),
    made,
    start: () => void start(),
    finish: () => current.current?.finish(),
    /** Back to where nothing is recorded. */
    discard: () => {
      current.current?.drop();
      setMade(null);
      setState('idle');
    },
  };
}

/** How long it has been going on, and how loud it is; ends it when it is as long as it may be. */
function useProgress(running: RefObject<Recording | null> | null) {
  const [now, setNow] = useState({ seconds: 0, level: 0 });
  useEffect(() => {
    if (!running) return;
    const began = performance.now();
    const timer = setInterval(() => {
      const seconds = (performance.now() - began) / 1000;
      setNow({ seconds, level: running.current?.level() ?? 0 });
      if (seconds >= RECORDING_MAX_SECONDS) running.current?.finish();
    }, TICK_MS);
    return () => {
      clearInterval(timer);
      setNow({ seconds: 0, level: 0 });
    };
  }, [running]);
  return now;
}
