import { expect, test } from 'vitest';
import { claimsOn, sentencesBehind } from './cited-sentences.ts';

const behind = (claims: readonly string[], passage: string) =>
  sentencesBehind(claims, passage).map(({ start, end }) => passage.slice(start, end));

test('a claim is each sentence before a citation, back to the citation before', () => {
  const answer = 'Adults pay 9 euros. Children pay 4 euros. [1] Dogs are free [2].\nClosed on Mondays [3][1]';
  expect(claimsOn(1, answer)).toEqual(['Adults pay 9 euros.', 'Children pay 4 euros.', 'Closed on Mondays']);
  expect(claimsOn(2, answer)).toEqual(['Dogs are free']);
  expect(claimsOn(3, answer)).toEqual(['Closed on Mondays']);
  expect(claimsOn(4, answer)).toEqual([]);
});

test('citations with only a comma between them follow the same words', () => {
  expect(claimsOn(2, 'Dogs are free [1], [2]. Cats are not.')).toEqual(['Dogs are free']);
});

const returns =
  'We pack every order by hand. You can send anything back within 30 days. The money is with you a week after the parcel is with us. Shoes that were worn outside are not taken back.';

test.each([
  ['what is quoted', ['You can send anything back within 30 days.'], [1]],
  ['what is said in other forms', ['You can return it: anything is sent back within 30 days'], [1]],
  ['each claim', ['**Worn shoes** are not taken back', 'The money is with you in a week'], [2, 3]],
  [
    'a claim made of two sentences',
    ['You can send anything back within 30 days, but shoes that were worn outside are not taken back.'],
    [1, 3],
  ],
  ['nothing for what is not in it', ['Our shops open at nine in the morning'], []],
  ['nothing for another language', ['Innerhalb von 30 Tagen nehmen wir alles zurück'], []],
  ['nothing for a word or two', ['Yes.'], []],
])('highlights %s', (_what, claims, expected) => {
  const sentences = returns.split(/(?<=\.) /);
  expect(behind(claims, returns)).toEqual(expected.map((index) => sentences[index]));
});

test('a row of a table and a line of code are sentences; scripts without spaces and other endings are compared', () => {
  expect(
    behind(['The Brass lantern burns 31 hours'], 'Name Burns\nBrass lantern 31 hours\nTin lantern 9 hours'),
  ).toEqual(['Brass lantern 31 hours']);
  const hours = '店は駅の近くにあります。営業時間は午前九時から午後六時までです。犬も歓迎します。';
  expect(behind(['営業時間は午前九時から午後六時です'], hours)).toEqual([
    '営業時間は午前九時から午後六時までです。',
  ]);
  const museum = 'Das Museum hat montags geschlossen. Hunde dürfen in den Garten mitgenommen werden.';
  expect(behind(['In den Garten darf man Hunde mitnehmen'], museum)).toEqual([
    'Hunde dürfen in den Garten mitgenommen werden.',
  ]);
});
