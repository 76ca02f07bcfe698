import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { onnxLookup } from './onnx.ts';
import { readCollection } from './retrieval-collection.ts';

/**
 * Builds an embedding model from a collection's own texts, without its questions or judgements: latent semantic
 * analysis (Deerwester et al., 1990), as an ONNX folder for `EMBEDDING_MODEL=local:<folder>`. It is a weak model, but a
 * real one where none can be downloaded: `node bench/latent-model.ts --collection <folder> --to <folder>`.
 */
const { values } = parseArgs({
  options: {
    collection: { type: 'string' },
    to: { type: 'string' },
    dimensions: { type: 'string', default: '192' },
  },
});

const LEAST_DOCUMENTS = 2;
const ROUNDS = 6;
const unknown = ['[PAD]', '[UNK]'];

type Matrix = Float64Array[];
type Sparse = [term: number, weight: number][][];

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function count(words: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Orthonormalizes the columns of a tall matrix, given as columns. */
function orthonormal(columns: Matrix): void {
  for (const [at, column] of columns.entries()) {
    for (const other of columns.slice(0, at)) {
      const share = column.reduce((sum, value, row) => sum + value * (other[row] ?? 0), 0);
      for (const [row, value] of other.entries()) column[row] = (column[row] ?? 0) - share * value;
    }
    const length = Math.hypot(...column) || 1;
    for (const [row, value] of column.entries()) column[row] = value / length;
  }
}

/** The directions in which the documents differ most, by subspace iteration. */
function directions(documents: Sparse, terms: number, size: number): Matrix {
  let state = 1;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  const right: Matrix = Array.from({ length: size }, () => Float64Array.from({ length: terms }, random));
  for (let round = 0; round < ROUNDS; round += 1) {
    const left = right.map((column) =>
      Float64Array.from(documents, (row) =>
        row.reduce((sum, [term, weight]) => sum + weight * (column[term] ?? 0), 0),
      ),
    );
    orthonormal(left);
    for (const [at, column] of right.entries()) {
      column.fill(0);
      for (const [document, row] of documents.entries())
        for (const [term, weight] of row)
          column[term] = (column[term] ?? 0) + weight * (left[at]?.[document] ?? 0);
    }
  }
  orthonormal(right);
  return right;
}

if (!values.collection || !values.to) throw new Error('--collection and --to are required');
const { documents } = await readCollection(values.collection);
const counted = documents.map(({ title, text }) => count(wordsOf(`${title} ${text}`)));
const holding = count(counted.flatMap((counts) => [...counts.keys()]));
const known = [...holding].filter(([, number]) => number >= LEAST_DOCUMENTS).map(([word]) => word);
const termOf = new Map(known.map((word, at) => [word, at]));
const idf = known.map((word) => Math.log(documents.length / (holding.get(word) ?? 1)));
const sparse: Sparse = counted.map((counts) => {
  const row = [...counts].flatMap(([word, number]) => {
    const term = termOf.get(word);
    return term === undefined ? [] : [[term, Math.log1p(number) * (idf[term] ?? 0)] as [number, number]];
  });
  const length = Math.hypot(...row.map(([, weight]) => weight)) || 1;
  return row.map(([term, weight]) => [term, weight / length]);
});
const size = Number(values.dimensions);
const found = directions(sparse, known.length, size);
const table = new Float32Array((unknown.length + known.length) * size);
// A text made only of unknown words still needs some direction.
table.fill(1e-6, 0, unknown.length * size);
for (const term of known.keys())
  for (const [at, column] of found.entries())
    table[(unknown.length + term) * size + at] = (idf[term] ?? 0) * (column[term] ?? 0);

const vocab = Object.fromEntries([...unknown, ...known].map((word, at) => [word, at]));
await mkdir(path.join(values.to, 'onnx'), { recursive: true });
const write = (name: string, content: object) =>
  writeFile(path.join(values.to ?? '', name), JSON.stringify(content));
await write('config.json', { model_type: 'bert', architectures: ['BertModel'], hidden_size: size });
await write('tokenizer_config.json', {
  tokenizer_class: 'BertTokenizer',
  unk_token: '[UNK]',
  pad_token: '[PAD]',
  do_lower_case: true,
  model_max_length: 100_000,
});
await write('tokenizer.json', {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: unknown.map((content, id) => ({ id, content, special: true })),
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: false,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: null,
  decoder: null,
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab,
  },
});
await writeFile(path.join(values.to, 'onnx/model.onnx'), onnxLookup(table, size));
console.log(`${known.length} words as vectors of ${size} dimensions: ${values.to}`);
