import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../../test/temporary-folder.ts';
import { createLocalEmbedder } from './embed-local.ts';

/** Stands in for the runtime, which is too large for a dependency: it embeds by counting, and can be told to fail. */
const runtime = `
export const env = {};
export async function pipeline(task, name, options) {
  if (name === 'broken') throw new Error('no weights');
  return async (text, { pooling }) => {
    if (text.includes('explode')) process.exit(1);
    if (text.includes('bad')) throw new Error('a bad text');
    if (text.includes('slow')) await new Promise((resolve) => setTimeout(resolve, 100));
    const remote = env.allowRemoteModels === false && options.local_files_only ? 1 : 99;
    return { data: [text.length, pooling === 'cls' ? 5 : 1, remote, 0] };
  };
}`;

let folder: string;
let model: string;

beforeEach(async () => {
  folder = await makeTemporaryFolder('model');
  model = path.join(folder, 'tiny');
  await mkdir(model);
  await writeFile(path.join(model, 'config.json'), '{}');
  await writeFile(path.join(model, 'tokenizer.json'), '{}');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function install(): Promise<void> {
  const place = path.join(folder, 'node_modules/@huggingface/transformers');
  await mkdir(place, { recursive: true });
  await writeFile(
    path.join(place, 'package.json'),
    '{ "name": "@huggingface/transformers", "type": "module", "exports": "./index.js" }',
  );
  await writeFile(path.join(place, 'index.js'), runtime);
}

const open = () => createLocalEmbedder({ model, dimensions: undefined });
const passage = { purpose: 'passage' as const };

test('without the runtime the start fails with the install command', async () => {
  await expect(open()).rejects.toThrow(
    `npm install --ignore-scripts --prefix ${model} @huggingface/transformers@4.3.1`,
  );
});

test('a folder that is not a model or cannot be opened aborts the start', async () => {
  await install();
  await rm(path.join(model, 'tokenizer.json'));
  await expect(open()).rejects.toThrow(`${model} has no tokenizer.json`);
  model = path.join(folder, 'broken');
  await mkdir(model);
  await writeFile(path.join(model, 'config.json'), '{}');
  await writeFile(path.join(model, 'tokenizer.json'), '{}');
  await expect(open()).rejects.toThrow('cannot be used. no weights');
});

test('texts get vectors of length 1 in order, without the network', async () => {
  await install();
  const embedder = await open();
  const [short, long] = await embedder.embed(['a', 'aaaaaaaaa'], passage);
  expect(short?.[0]).toBeCloseTo(1 / Math.sqrt(3));
  expect(long?.[0]).toBeCloseTo(9 / Math.sqrt(83));
  expect(embedder).toMatchObject({ name: 'local/tiny' });
  expect(embedder.dimensions()).toBe(4);
  await embedder.close();
});

test('the folder’s prompt and pooling settings are applied', async () => {
  await install();
  await mkdir(path.join(model, '1_Pooling'));
  await writeFile(path.join(model, '1_Pooling/config.json'), '{ "pooling_mode_cls_token": true }');
  await writeFile(
    path.join(model, 'config_sentence_transformers.json'),
    '{ "prompts": { "query": "query: " } }',
  );
  const embedder = await open();
  const [asked] = await embedder.embed(['a'], { purpose: 'question' });
  const [said] = await embedder.embed(['a'], passage);
  expect(asked?.[0]).toBeCloseTo(8 / Math.sqrt(64 + 25 + 1));
  expect(said?.[0]).toBeCloseTo(1 / Math.sqrt(1 + 25 + 1));
  await embedder.close();
});

test('a question does not wait for passages queued before it', async () => {
  await install();
  const embedder = await open();
  const done: string[] = [];
  const passages = embedder.embed(['slow 1', 'slow 2', 'slow 3'], passage).then(() => done.push('passages'));
  await embedder.embed(['now'], { purpose: 'question' }).then(() => done.push('question'));
  await passages;
  expect(done).toEqual(['question', 'passages']);
  await embedder.close();
});

test('a failing text is an error, and a crashed thread is restarted', async () => {
  await install();
  const embedder = await open();
  await expect(embedder.embed(['bad'], passage)).rejects.toMatchObject({ isRefusal: true });
  await expect(embedder.embed(['explode'], passage)).rejects.toThrow('stopped');
  await expect(embedder.embed(['well'], passage)).resolves.toHaveLength(1);
  await embedder.close();
  await expect(embedder.embed(['late'], passage)).rejects.toThrow('stopping');
});
