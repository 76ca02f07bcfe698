import { SPEECH_BITS_PER_SECOND } from '../../chat/spoken.ts';

/** A recording in progress. */
export interface Recording {
  /** The current level, from 0 to 1. */
  level: () => number;
  /** Stops and releases the microphone. */
  finish: () => void;
  /** Resolves when it is over. */
  made: Promise<Blob>;
}

/** The share of the maximum level that speech reaches. */
const SPEECH = 0.25;

/** Whether a page at this address may ask for a microphone at all. */
export const canRecord = (): boolean =>
  'MediaRecorder' in globalThis && (navigator as Partial<Navigator>).mediaDevices !== undefined;

/** Records from the browser's microphone, which is released as soon as recording ends. Throws if it can't be used. */
export async function record(): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const { recorder, meter } = open(stream);
  const pieces: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
  const made = new Promise<Blob>((resolve) => {
    recorder.addEventListener('stop', () => {
      for (const track of stream.getTracks()) track.stop();
      meter.close();
      resolve(new Blob(pieces, { type: recorder.mimeType }));
    });
  });
  const finish = () => {
    if (recorder.state !== 'inactive') recorder.stop();
  };
  recorder.start();
  return { level: meter.level, finish, made };
}

/** If recording with it is impossible, the microphone is released at once. */
function open(stream: MediaStream) {
  try {
    return {
      recorder: new MediaRecorder(stream, { audioBitsPerSecond: SPEECH_BITS_PER_SECOND }),
      meter: measure(stream),
    };
  } catch (error) {
    for (const track of stream.getTracks()) track.stop();
    throw error;
  }
}

function measure(stream: MediaStream): { level: () => number; close: () => void } {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    level() {
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      return Math.min(1, Math.sqrt(power) / SPEECH);
    },
    close: () => void context.close(),
  };
}
