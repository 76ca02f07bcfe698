import { useEffect, useRef, useState, type RefObject } from 'react';
import { RECORDING_MAX_SECONDS } from '../../../contract/limits.ts';
import { keepSpoken, readSpoken } from '../../chat/spoken.ts';
import { canRecord, record, type Recording } from './record.ts';

/**
 * `asking`: the browser asks for the microphone. `done`: there is a recording. `refused`: the microphone may not be
 * used. `absent`: there is none. `busy`: it doesn't start, for example because another program uses it. `unsupported`:
 * this browser can't record at this address.
 */
export type RecorderState = 'idle' | 'asking' | 'recording' | 'done' | Fault;
type Fault = 'refused' | 'absent' | 'busy' | 'unsupported';

const faults: readonly RecorderState[] = ['refused', 'absent', 'busy', 'unsupported'] satisfies Fault[];
export const isFault = (state: RecorderState): state is Fault => faults.includes(state);

/** Maps the error names of `getUserMedia`. */
function faultOf(error: unknown): Fault {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotFoundError') return 'absent';
  return name === 'NotAllowedError' || name === 'SecurityError' ? 'refused' : 'busy';
}

const TICK_MS = 100;

/**
 * A recording of at most `RECORDING_MAX_SECONDS`, kept where it was made until discarded: it survives the end of the
 * session with a rerender or reload, and leaving the page for a sign-in or during sending.
 */
export function useRecorder(place: string) {
  const [state, setState] = useState<RecorderState>(() => (readSpoken(place) ? 'done' : 'idle'));
  const { made, wait, forget } = useMade(place, () => setState('done'));
  const current = useRef<Recording | null>(null);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      current.current?.finish();
    };
  }, []);
  const start = async () => {
    if (!canRecord()) return setState('unsupported');
    forget();
    setState('asking');
    try {
      const recording = await record();
      if (isGone.current) return recording.finish();
      current.current = recording;
      keepSpoken(place, recording.made);
      setState('recording');
      wait(recording.made);
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
    /** Back to the idle state. */
    discard: () => {
      forget();
      current.current?.finish();
      setState('idle');
    },
  };
}

/** The recording made there, including an earlier one. Calls back when it is available, unless it was discarded by then. */
function useMade(place: string, onMade: () => void) {
  const [made, setMade] = useState<Blob | null>(null);
  const awaited = useRef<Promise<Blob>>(undefined);
  const wait = (recording: Promise<Blob> | undefined) => {
    awaited.current = recording;
    void recording?.then((blob) => {
      if (awaited.current !== recording) return;
      setMade(blob);
      onMade();
    });
  };
  useEffect(() => {
    wait(readSpoken(place));
    return () => {
      awaited.current = undefined;
    };
    // Once; the function changes each time.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [place]);
  const forget = () => {
    awaited.current = undefined;
    keepSpoken(place, undefined);
    setMade(null);
  };
  return { made, wait, forget };
}

/** The elapsed time and the level; stops the recording at its maximum length. */
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
