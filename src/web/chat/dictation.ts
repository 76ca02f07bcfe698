import { recorded } from './recorded-dictation.ts';
import { saidInto } from './said-into.ts';
import type { VoiceTransport } from './types.ts';

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

export interface Listening {
  /** What has been said so far, or all of it. */
  onText: (text: string) => void;
  /** Nothing more is heard, and what was said is being written down. */
  onWriting: () => void;
  /** Over: by itself, or because it was ended. `failed`: the microphone or the service refused. */
  onEnd: (failed: boolean) => void;
}

export interface Dictation {
  /** What was said counts. */
  finish: () => void;
  cancel: () => void;
  /** The page is left: what was said and is not written down is kept where that can be done later. */
  leave: () => void;
}

/** Who writes down what is said. */
export interface Dictating {
  begin: (listening: Listening) => Promise<Dictation>;
  /** Writes what is said into a field. */
  into: typeof saidInto;
  /** Where it is not written down as it is said. */
  held?: Held;
}

/** What was said and is not written down. */
export interface Held {
  isThere: () => boolean;
  /** Has it written down. */
  again: (listening: Listening) => Dictation;
  /** Where it is kept, and to where it is taken along. Undefined: nowhere. */
  keepUnder: (key: string | undefined) => void;
}

/** The browser, the server, or nobody. */
export async function findDictating(voice: VoiceTransport | undefined): Promise<Dictating | null> {
  const Recognizer = recognizer();
  if (Recognizer)
    return { begin: async (listening) => recognize(new Recognizer(), listening), into: saidInto };
  const canRecord = 'MediaRecorder' in globalThis;
  return canRecord && voice && (await voice.abilities()).transcription ? recorded(voice) : null;
}

/** The browser writes down what it hears, as one speaks. */
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
