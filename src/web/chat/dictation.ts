import { recorded } from './recorded-dictation.ts';
import { saidInto } from './said-into.ts';
import type { VoiceTransport } from './types.ts';

/** The part of the browsers' speech recognition API in use; TypeScript's library doesn't include it. */
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

export interface Listening {
  /** The text so far, or all of it. */
  onText: (text: string) => void;
  /** Recording has stopped, and transcription is in progress. */
  onWriting: () => void;
  /** Over: by itself, or because it was stopped. `failed`: the microphone or the service refused. */
  onEnd: (failed: boolean) => void;
}

export interface Dictation {
  /** Keeps what was said. */
  finish: () => void;
  cancel: () => void;
  /** Called when leaving the page: speech not yet transcribed is kept if that can be done later. */
  leave: () => void;
}

/** A speech transcriber. */
export interface Dictating {
  begin: (listening: Listening) => Promise<Dictation>;
  /** Writes what is said into a field. */
  into: typeof saidInto;
  /** Set if speech isn't transcribed as it is spoken. */
  held?: Held;
}

/** Speech that was recorded but not transcribed. */
export interface Held {
  isThere: () => boolean;
  /** Retries the transcription. */
  again: (listening: Listening) => Dictation;
  /** The key it is stored under, and moved to. Undefined: not stored. */
  keepUnder: (key: string | undefined) => void;
}

/** The browser, the server, or none. */
export async function findDictating(voice: VoiceTransport | undefined): Promise<Dictating | null> {
  const Recognizer = recognizer();
  if (Recognizer)
    return { begin: async (listening) => recognize(new Recognizer(), listening), into: saidInto };
  const canRecord = 'MediaRecorder' in globalThis;
  return canRecord && voice && (await voice.abilities()).transcription ? recorded(voice) : null;
}

/** The browser transcribes while the person speaks. */
function recognize(recognition: Recognition, { onText, onEnd }: Listening): Dictation {
  recognition.lang = navigator.language;
  recognition.continuous = true;
  recognition.interimResults = true;
  let failed = false;
  recognition.addEventListener('result', (event) => {
    const said = Array.from((event as RecognitionEvent).results, ([best]) => best?.transcript ?? '');
    onText(said.join('').trim());
  });
  recognition.addEventListener('error', () => (failed = true));
  recognition.addEventListener('end', () => onEnd(failed));
  recognition.start();
  const cancel = () => recognition.abort();
  return { finish: () => recognition.stop(), cancel, leave: cancel };
}
