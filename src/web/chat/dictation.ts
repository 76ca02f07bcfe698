import { RECORDING_MAX_SECONDS } from '../../contract/limits.ts';

/** As much of the browsers' speech recognition as is used; TypeScript's library does not know it. */
interface Recognition extends EventTarget {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  start(): void;
  stop(): void;
  abort(): void;
}
interface RecognitionEvent extends Event {
  results: Iterable<Iterable<{ transcript: string }>>;
}
type NewRecognition = new () => Recognition;

function recognizer(): NewRecognition | undefined {
  const names = globalThis as {
    SpeechRecognition?: NewRecognition;
    webkitSpeechRecognition?: NewRecognition;
  };
  return names.SpeechRecognition ?? names.webkitSpeechRecognition;
}

export const canRecognize = (): boolean => recognizer() !== undefined;
export const canRecord = (): boolean => 'MediaRecorder' in globalThis;

export interface Listening {
  /** What has been said so far, or all of it. */
  onText: (text: string) => void;
  /** Over: by itself, or because it was ended. `failed`: the microphone or the service refused. */
  onEnd: (failed: boolean) => void;
}

export interface Dictation {
  /** What was said counts. */
  finish: () => void;
  cancel: () => void;
}

/** The browser writes down what it hears, as one speaks. */
export function recognize({ onText, onEnd }: Listening): Dictation {
  const Recognizer = recognizer();
  if (!Recognizer) throw new Error('This browser recognizes no speech.');
  const recognition = new Recognizer();
  recognition.lang = navigator.language;
  recognition.continuous = true;
  recognition.interimResults = true;
  let failed = false;
  recognition.addEventListener('result', (event) => {
    const said = [...(event as RecognitionEvent).results].map(([best]) => best?.transcript ?? '');
    onText(said.join('').trim());
  });
  recognition.addEventListener('error', () => (failed = true));
  recognition.addEventListener('end', () => onEnd(failed));
  recognition.start();
  return { finish: () => recognition.stop(), cancel: () => recognition.abort() };
}

/** Records, and lets the server write down what was said when it is over. */
export async function record(
  { onText, onEnd }: Listening,
  transcribe: (recording: File) => Promise<string>,
): Promise<Dictation> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const recorder = new MediaRecorder(stream);
  const pieces: Blob[] = [];
  let cancelled = false;
  recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
  recorder.addEventListener('stop', () => {
    clearTimeout(timer);
    for (const track of stream.getTracks()) track.stop();
    if (cancelled) return onEnd(false);
    const recording = new File(pieces, 'dictation', { type: recorder.mimeType });
    transcribe(recording).then(
      (text) => {
        onText(text);
        onEnd(false);
      },
      () => onEnd(true),
    );
  });
  const finish = () => recorder.state === 'inactive' || recorder.stop();
  const timer = setTimeout(finish, RECORDING_MAX_SECONDS * 1000);
  recorder.start();
  return {
    finish,
    cancel: () => {
      cancelled = true;
      finish();
    },
  };
}
