import { expect, test } from 'vitest';
import { askedQuestions } from '../../../../test/asked-questions.ts';
import { embedText } from '../../../../test/stand-ins/embedding.ts';
import { termsOfQuestions } from '../knowledge/search.ts';
import { group, type Grouped, type Item } from './group.ts';
import { CLUSTER_LIKENESS } from './group-questions.ts';

/** The questions of all intents in a realistic order: not one intent after another. */
const asked = Object.entries(askedQuestions)
  .flatMap(([intent, texts]) => texts.map((text) => ({ intent, text })))
  .toSorted((a, b) => disorder(a.text) - disorder(b.text));

function disorder(text: string): number {
  return Array.from(text).reduce(
    (sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) >>> 0,
    7,
  );
}

async function itemsOf(some: { text: string }[]): Promise<Item[]> {
  const read = await termsOfQuestions(some.map(({ text }) => ({ text, before: null })));
  return some.map(({ text }, at) => ({ id: text, terms: read[at]?.terms ?? {}, group: null }));
}

/** Figures for readers of the test's output. */
const print = (figures: object): boolean => process.stdout.write(`${JSON.stringify(figures)}\n`);

const intentOf = new Map(asked.map(({ intent, text }) => [text, intent]));

/** How many of these have the intent most common among them. */
function most(texts: string[]): number {
  const counts = Object.values(Object.groupBy(texts, (text) => intentOf.get(text) ?? ''));
  return Math.max(0, ...counts.map((same) => same?.length ?? 0));
}

const purityOf = (groups: Grouped[]): number =>
  groups.reduce((sum, { items }) => sum + most(items), 0) / asked.length;

/** The share of questions that are in the group containing most of their intent. */
function inversePurityOf(groups: Grouped[]): number {
  const largest = Object.keys(askedQuestions).map((intent) =>
    Math.max(...groups.map(({ items }) => items.filter((text) => intentOf.get(text) === intent).length)),
  );
  return largest.reduce((sum, count) => sum + count, 0) / asked.length;
}

test('questions of one intent are grouped together, and those of several are not', async () => {
  const groups = await group(await itemsOf(asked), { least: CLUSTER_LIKENESS });
  const [purity, inverse] = [purityOf(groups), inversePurityOf(groups)];
  const intents = Object.keys(askedQuestions).length;
  print({ questions: asked.length, intents, clusters: groups.length, purity, inverse });
  expect(intents).toBeGreaterThanOrEqual(20);
  expect(purity).toBeGreaterThanOrEqual(0.8);
  expect(inverse).toBeGreaterThanOrEqual(0.65);
  expect(groups.length).toBeLessThanOrEqual(2.5 * intents);
});

test('the same questions give the same groups, even when most were grouped before', async () => {
  const items = await itemsOf(asked);
  const once = await group(items, { least: CLUSTER_LIKENESS });
  expect(await group(items, { least: CLUSTER_LIKENESS })).toEqual(once);
  const half = await group(items.slice(0, 150), { least: CLUSTER_LIKENESS });
  const known = new Map(
    half.flatMap(({ items: of }, at) => of.map((id) => [id, `g${String(at).padStart(3, '0')}`])),
  );
  const groups = await group(
    items.map((item) => ({ ...item, group: known.get(item.id) ?? null })),
    { least: CLUSTER_LIKENESS },
  );
  expect(purityOf(groups)).toBeGreaterThanOrEqual(0.8);
  // Items grouped before stay grouped, under the same name.
  for (const { items: together } of half) {
    const home = groups.find(({ items: of }) => of.includes(together[0] ?? ''));
    expect(together.every((id) => home?.items.includes(id))).toBe(true);
    expect(home?.groups).toContain(known.get(together[0] ?? ''));
  }
});

test('a closed group takes in similar questions but never another group', async () => {
  const texts = ['Do you ship to Norway?', 'Can you ship to Norway?', 'Is shipping to Norway possible?'];
  const items = await itemsOf(texts.map((text) => ({ text })));
  const given = items.map((item, at) => ({ ...item, group: ['answered', 'open', null][at] ?? null }));
  const groups = await group(given, { least: CLUSTER_LIKENESS, closed: new Set(['answered']) });
  expect(groups.map(({ groups: of }) => of.join()).toSorted()).toEqual(['answered', 'open']);
  const loose = given.map((item) => ({
    ...item,
    isLoose: item.group === null,
    group: item.group === 'open' ? null : item.group,
  }));
  const joined = await group(loose, { least: CLUSTER_LIKENESS, closed: new Set(['answered']) });
  expect(joined.find(({ groups: of }) => of[0] === 'answered')?.items).toContain(texts[2]);
});

test('with vectors, the same meaning in other words is grouped together', async () => {
  const texts = ['What is the refund?', 'reimbursement?', 'Is the bicycle for you?', 'a bike'];
  const items = await itemsOf(texts.map((text) => ({ text })));
  const vectors = texts.map((text) => unit(embedText(text)));
  const words = await group(items, { least: CLUSTER_LIKENESS });
  expect(words.length).toBeGreaterThan(2);
  const meaning = await group(
    items.map((item, at) => ({ ...item, vector: vectors[at] })),
    { least: CLUSTER_LIKENESS, leastSimilar: 0.85 },
  );
  expect(meaning.map(({ items: of }) => of.toSorted().join(' ')).toSorted()).toEqual([
    'Is the bicycle for you? a bike',
    'What is the refund? reimbursement?',
  ]);
});

function unit(numbers: number[]): Float32Array {
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (value) => value / length);
}

test('five thousand questions are grouped in seconds without blocking the event loop', async () => {
  const many = Array.from({ length: 5000 }, (_, at) => {
    const { text } = asked[(at * 7919) % asked.length] ?? { text: '' };
    return { text: `${text} ${['please', `product${at % 400}`, 'thanks', `Modell${at % 300}`][at % 4]}` };
  });
  const items = (await itemsOf(many)).map((item, at) => ({ ...item, id: String(at) }));
  let last = performance.now();
  let longest = 0;
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  const started = performance.now();
  const groups = await group(items, { least: CLUSTER_LIKENESS });
  clearInterval(timer);
  print({
    groups: groups.length,
    ms: Math.round(performance.now() - started),
    longestTurnMs: Math.round(longest),
  });
  expect(performance.now() - started).toBeLessThan(60_000);
  expect(groups.flatMap(({ items: of }) => of)).toHaveLength(5000);
});
