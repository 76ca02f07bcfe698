import { VOICE_TIMEOUT_MS } from '../../contract/limits.ts';
import { AppError } from '../app-error.ts';
import type { Config } from '../config/config.ts';
import type { VoiceModelConfig } from '../config/models.ts';
import type { Fetch, ModelFetch } from '../egress/model-fetch.ts';
import { failureOf } from './model-failure.ts';
import { baseUrlOf } from './provider-model.ts';

export interface Recording {
  data: Uint8Array;
  /** `audio/webm` */
  mediaType: string;
}

/** Speech to text and back, using the operator's models. A missing one is undefined. Errors: `model/unavailable`. */
export interface Voice {
  writeDown: ((recording: Recording, signal?: AbortSignal) => Promise<string>) | undefined;
  readAloud: ((text: string, signal?: AbortSignal) => Promise<Recording>) | undefined;
}

export function createVoice(
  { transcription, speech }: Pick<Config, 'transcription' | 'speech'>,
  { byOperator }: Pick<ModelFetch, 'byOperator'>,
): Voice {
  return {
    writeDown: transcription && transcriber(transcription, byOperator),
    readAloud: speech && speaker(speech, byOperator),
  };
}

function transcriber(config: VoiceModelConfig, fetch: Fetch): Voice['writeDown'] {
  const provider = providerOf(config, fetch);
  return async ({ data, mediaType }, signal) => {
    const model = (await provider()).transcription(config.model);
    const { text } = await inTime(signal, (abortSignal) =>
      model.doGenerate({ audio: data, mediaType, abortSignal }),
    );
    return text.replaceAll('\u0000', '').toWellFormed().trim();
  };
}

function speaker(config: VoiceModelConfig & { voice: string }, fetch: Fetch): Voice['readAloud'] {
  const provider = providerOf(config, fetch);
  return async (text, signal) => {
    const model = (await provider()).speech(config.model);
    const { audio } = await inTime(signal, (abortSignal) =>
      model.doGenerate({ text, voice: config.voice, outputFormat: 'mp3', abortSignal }),
    );
    const data = typeof audio === 'string' ? Buffer.from(audio, 'base64') : audio;
    return { data, mediaType: 'audio/mpeg' };
  };
}

function providerOf({ apiKey = '', baseUrl }: VoiceModelConfig, fetch: Fetch) {
  const baseURL = baseUrlOf({ provider: 'openai', apiKey, baseUrl });
  return async () => (await import('@ai-sdk/openai')).createOpenAI({ apiKey, baseURL, fetch });
}

/** The provider's error text goes no further: it may echo what it was sent. */
async function inTime<T>(
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => PromiseLike<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(VOICE_TIMEOUT_MS);
  try {
    return await work(signal ? AbortSignal.any([signal, timeout]) : timeout);
  } catch (error) {
    const cause = failureOf(error);
    throw new AppError('model/unavailable', 'The voice model did not answer. Try again.', { cause });
  }
}
