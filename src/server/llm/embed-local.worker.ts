import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { LocalAnswer, LocalModel } from './embed-local.ts';

/** The part of `@huggingface/transformers` that is used. */
interface Runtime {
  env: { allowRemoteModels: boolean; localModelPath: string; useFSCache?: boolean };
  pipeline: (task: 'feature-extraction', model: string, options: object) => Promise<Extract>;
}

type Extract = (text: string, options: object) => Promise<{ data: ArrayLike<number> }>;

const { runtime, folder, pooling, dimensions } = workerData as LocalModel;

async function open(): Promise<Extract> {
  const { env, pipeline } = (await import(runtime)) as Runtime;
  env.allowRemoteModels = false;
  env.localModelPath = `${path.dirname(folder)}${path.sep}`;
  return pipeline('feature-extraction', path.basename(folder), {
    local_files_only: true,
    dtype: 'fp32',
    device: 'cpu',
    // The other cores stay free for people being answered.
    session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 },
  });
}

async function vectorOf(extract: Extract, text: string): Promise<Float32Array> {
  const { data } = await extract(text, { pooling, normalize: true });
  return Float32Array.from(data).subarray(0, dimensions);
}

function send(answer: LocalAnswer): void {
  parentPort?.postMessage(answer);
}

function sendError(error: unknown): void {
  send({ error: error instanceof Error ? error.message : String(error) });
}

open().then((extract) => {
  parentPort?.on('message', (text: string) => {
    vectorOf(extract, text).then((vector) => send({ vector }), sendError);
  });
  send({ ready: true });
}, sendError);
