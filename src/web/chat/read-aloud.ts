import { languageOf } from './language-of.ts';
import { plainText } from './plain-text.ts';
import type { ShownMessage, VoiceTransport } from './types.ts';

type Spoken = Pick<ShownMessage, 'id' | 'text'>;

/** Reads a message in its language; resolves when it is finished or stopped. Rejects if nothing can read it. */
export async function readAloud(
  message: Spoken,
  voice: VoiceTransport | undefined,
  signal: AbortSignal,
): Promise<void> {
  const language = languageOf(message.text);
  if (await canSpeak()) return speak(plainText(message.text), language, signal);
  const isSpoken = voice && message.id !== null && (await voice.abilities()).speech;
  if (signal.aborted) return;
  if (!isSpoken || message.id === null) throw new Error('There is no voice.');
  await play(await voice.speak(message.id), signal);
}

const VOICES_WAIT_MS = 400;

/** Some browsers list their voices only a moment after being asked, and some have none. */
async function canSpeak(): Promise<boolean> {
  if (!('speechSynthesis' in globalThis)) return false;
  if (speechSynthesis.getVoices().length > 0) return true;
  await new Promise<void>((resolve) => {
    setTimeout(resolve, VOICES_WAIT_MS);
    speechSynthesis.addEventListener('voiceschanged', () => resolve(), { once: true });
  });
  return speechSynthesis.getVoices().length > 0;
}

/** Sentence by sentence: browsers cut off long utterances. */
async function speak(text: string, language: string, signal: AbortSignal): Promise<void> {
  signal.addEventListener('abort', () => speechSynthesis.cancel());
  for (const { segment } of new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text)) {
    if (signal.aborted) return;
    await new Promise<void>((resolve, reject) => {
      const utterance = new SpeechSynthesisUtterance(segment);
      utterance.lang = language;
      utterance.addEventListener('end', () => resolve());
      utterance.addEventListener('error', ({ error }) =>
        signal.aborted ? resolve() : reject(new Error(error)),
      );
      speechSynthesis.speak(utterance);
    });
  }
}

/** The page's policy forbids data URLs as media, so the bytes are decoded here. */
async function play(address: string, signal: AbortSignal): Promise<void> {
  const bytes = Uint8Array.from(atob(address.slice(address.indexOf(',') + 1)), (character) =>
    character.charCodeAt(0),
  );
  const context = new AudioContext();
  try {
    const source = context.createBufferSource();
    source.buffer = await context.decodeAudioData(bytes.buffer);
    source.connect(context.destination);
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve());
      source.addEventListener('ended', () => resolve());
      if (signal.aborted) resolve();
      else source.start();
    });
  } finally {
    await context.close();
  }
}
