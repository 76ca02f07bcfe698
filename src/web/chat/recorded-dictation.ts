import { RECORDING_MAX_SECONDS } from '../../contract/limits.ts';
import { keepSpoken, readSpoken, SPEECH_BITS_PER_SECOND } from './spoken.ts';
import type { Dictating, Dictation, Listening } from './dictation.ts';
import { saidInto } from './said-into.ts';
import type { VoiceTransport } from './types.ts';

/** Records, and lets the server transcribe at the end. Until then, the recording is kept where the message is composed. */
export function recorded(voice: VoiceTransport): Dictating {
  let place: string | undefined;
  const keep = (recording: Promise<Blob> | undefined) => {
    if (place !== undefined) keepSpoken(place, recording);
  };
  const held = () => (place === undefined ? undefined : readSpoken(place));
  const setup = { voice, keep };
  return {
    begin: async (listening) => record(listening, setup),
    into: saidInto,
    held: {
      isThere: () => held() !== undefined,
      again: (listening) => write(held(), listening, setup),
      keepUnder(key) {
        const said = held();
        if (said) keep(undefined);
        place = key;
        if (said) keep(said);
      },
    },
  };
}

interface Setup {
  voice: VoiceTransport;
  keep: (recording: Promise<Blob> | undefined) => void;
}

/** An unfinished recording would be lost with the page. */
const ask = (event: BeforeUnloadEvent) => event.preventDefault();

async function record(listening: Listening, setup: Setup): Promise<Dictation> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const recorder = new MediaRecorder(stream, { audioBitsPerSecond: SPEECH_BITS_PER_SECOND });
  const pieces: Blob[] = [];
  const finish = () => recorder.state === 'inactive' || recorder.stop();
  const timer = setTimeout(finish, RECORDING_MAX_SECONDS * 1000);
  const said = new Promise<Blob>((resolve) => {
    recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
    recorder.addEventListener('stop', () => {
      removeEventListener('beforeunload', ask);
      clearTimeout(timer);
      for (const track of stream.getTracks()) track.stop();
      resolve(new Blob(pieces, { type: recorder.mimeType }));
    });
  });
  const { cancel, leave } = write(said, listening, setup);
  setup.keep(said);
  addEventListener('beforeunload', ask);
  recorder.start();
  const andFinish = (act: () => void) => () => {
    act();
    finish();
  };
  return { finish, cancel: andFinish(cancel), leave: andFinish(leave) };
}

/** Transcribes as soon as the recording is complete. */
function write(
  said: Promise<Blob> | undefined,
  { onText, onWriting, onEnd }: Listening,
  setup: Setup,
): Dictation {
  let isOver = false;
  const leave = () => {
    isOver = true;
  };
  const cancel = () => {
    leave();
    setup.keep(undefined);
  };
  const go = async () => {
    const recording = await said;
    if (isOver || !recording) return;
    onWriting();
    const text = await setup.voice.transcribe(new File([recording], 'dictation', { type: recording.type }));
    if (isOver) return;
    setup.keep(undefined);
    onText(text);
    onEnd(false);
  };
  go().catch(() => isOver || onEnd(true));
  return { finish: () => undefined, cancel, leave };
}
