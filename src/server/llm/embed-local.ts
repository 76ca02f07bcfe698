import { readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { EmbeddingConfig } from '../config/models.ts';
import { StartError } from '../start-error.ts';
import { checkedEmbed, EmbeddingError, type Embedder, type EmbedOptions } from './embed.ts';

/** Runs ONNX models. At 480 MB it is not a dependency: operators who want their own model install it. */
const RUNTIME = '@huggingface/transformers';
const RUNTIME_VERSION = '4.3.1';
/** How many texts are stored together; each is computed on its own. */
const BATCH_SIZE = 16;

/** The thread's input. */
export interface LocalModel {
  runtime: string;
  folder: string;
  pooling: 'mean' | 'cls';
  dimensions: number | undefined;
}

export type LocalAnswer = { ready: true } | { vector: Float32Array } | { error: string };

interface Task {
  text: string;
  resolve: (vector: Float32Array) => void;
  reject: (error: Error) => void;
}

/**
 * A model in a folder: ONNX weights, tokenizer and configuration as on the Hugging Face hub. It runs in its own thread
 * and never accesses the network.
 */
export async function createLocalEmbedder({
  model: folder,
  dimensions,
}: Pick<EmbeddingConfig, 'model' | 'dimensions'>): Promise<Embedder> {
  await requireFolder(folder);
  const prompts = await readPrompts(folder);
  const model: LocalModel = {
    runtime: findRuntime(folder),
    folder,
    pooling: await readPooling(folder),
    dimensions,
  };
  const thread = await startThread(model);
  const raw = (texts: string[], { purpose, signal }: EmbedOptions): Promise<Float32Array[]> =>
    Promise.all(
      texts.map((text) => thread.run(prompts[purpose] + text, { isUrgent: purpose === 'question', signal })),
    );
  return {
    name: `local/${path.basename(folder)}${dimensions === undefined ? '' : `@${dimensions}`}`,
    batchSize: BATCH_SIZE,
    ...checkedEmbed(raw, dimensions),
    close: thread.close,
  };
}

async function requireFolder(folder: string): Promise<void> {
  for (const name of ['config.json', 'tokenizer.json']) {
    const isThere = await stat(path.join(folder, name)).then(
      (found) => found.isFile(),
      () => false,
    );
    if (!isThere) throw new StartError(`EMBEDDING_MODEL: ${folder} has no ${name}.`);
  }
}

/** Next to the model, where no product update removes it, or among the product's own packages. */
function findRuntime(folder: string): string {
  for (const from of [path.join(folder, 'model'), import.meta.filename]) {
    try {
      return pathToFileURL(createRequire(from).resolve(RUNTIME)).href;
    } catch {
      // Try the next place.
    }
  }
  throw new StartError(
    `EMBEDDING_MODEL: a local model needs ${RUNTIME}. Install it beside the model:\n  npm install --ignore-scripts --prefix ${folder} ${RUNTIME}@${RUNTIME_VERSION}`,
  );
}

/** The prefixes some models expect before a text, as stored by sentence-transformers. */
async function readPrompts(folder: string): Promise<Record<EmbedOptions['purpose'], string>> {
  const file = await readJson<{ prompts?: { query?: string; document?: string; passage?: string } }>(
    path.join(folder, 'config_sentence_transformers.json'),
  );
  const { query = '', document, passage = '' } = file?.prompts ?? {};
  return { question: query, passage: document ?? passage };
}

async function readPooling(folder: string): Promise<LocalModel['pooling']> {
  const file = await readJson<{ pooling_mode_cls_token?: boolean }>(
    path.join(folder, '1_Pooling/config.json'),
  );
  return file?.pooling_mode_cls_token ? 'cls' : 'mean';
}

async function readJson<T>(file: string): Promise<T | undefined> {
  const content = await readFile(file, 'utf8').catch(() => undefined);
  if (content === undefined) return undefined;
  try {
    return JSON.parse(content) as T;
  } catch {
    throw new StartError(`EMBEDDING_MODEL: ${file} is not JSON.`);
  }
}

/** A thread that has died is restarted for the next text. */
async function startThread(model: LocalModel) {
  let isClosed = false;
  let worker: Worker | undefined = await openWorker(model);
  const ask = async (text: string): Promise<Float32Array> => {
    if (isClosed) throw new EmbeddingError('The server is stopping.');
    worker ??= await openWorker(model);
    try {
      const answer = await answerOf(worker, text);
      if ('vector' in answer) return answer.vector;
      throw new EmbeddingError('The local embedding model failed.', { isRefusal: true, cause: answer });
    } catch (error) {
      if (error instanceof EmbeddingError) throw error;
      worker = undefined;
      throw new EmbeddingError('The local embedding model stopped.', { cause: error });
    }
  };
  return {
    run: oneByOne(ask),
    close: async () => {
      isClosed = true;
      await worker?.terminate();
    },
  };
}

interface RunOptions {
  isUrgent: boolean;
  signal?: AbortSignal | undefined;
}

/** One text at a time; questions before passages. */
function oneByOne(ask: (text: string) => Promise<Float32Array>) {
  const urgent: Task[] = [];
  const patient: Task[] = [];
  let isBusy = false;
  const next = (): void => {
    const task = isBusy ? undefined : (urgent.shift() ?? patient.shift());
    if (!task) return;
    isBusy = true;
    const done = (): void => {
      isBusy = false;
      next();
    };
    void ask(task.text).then(task.resolve, task.reject).finally(done);
  };
  return async (text: string, { isUrgent, signal }: RunOptions): Promise<Float32Array> => {
    signal?.throwIfAborted();
    const line = isUrgent ? urgent : patient;
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array>();
    const task: Task = { text, resolve, reject };
    const stop = (): void => {
      const at = line.indexOf(task);
      if (at !== -1) line.splice(at, 1);
      reject(signal?.reason as Error);
    };
    line.push(task);
    signal?.addEventListener('abort', stop);
    next();
    return promise.finally(() => signal?.removeEventListener('abort', stop));
  };
}

async function openWorker(model: LocalModel): Promise<Worker> {
  const worker = new Worker(new URL('embed-local.worker.ts', import.meta.url), {
    workerData: model,
    env: {},
    argv: [],
    execArgv: [],
  });
  const answer = await answerOf(worker).catch((error: unknown) => ({ error: String(error) }));
  if ('error' in answer) {
    await worker.terminate();
    throw new StartError(`EMBEDDING_MODEL: the model in ${model.folder} cannot be used. ${answer.error}`);
  }
  worker.unref();
  return worker;
}

async function answerOf(worker: Worker, text?: string): Promise<LocalAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<LocalAnswer>();
  const end = (): void => reject(new Error('the thread exited'));
  worker.on('message', resolve).on('error', reject).on('exit', end);
  worker.ref();
  try {
    if (text !== undefined) worker.postMessage(text);
    return await promise;
  } finally {
    worker.off('message', resolve).off('error', reject).off('exit', end);
    // Whatever comes after the answer doesn't matter, and must not end the process.
    worker.off('error', ignore).on('error', ignore);
    worker.unref();
  }
}

function ignore(): void {}
