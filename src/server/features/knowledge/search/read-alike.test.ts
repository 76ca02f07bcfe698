import { expect, test } from 'vitest';
import { readAlike } from './read-alike.ts';

/** The terms that a question has in common with a sentence. */
function shared(question: string, sentence: string): string[] {
  const { asked, termsOf } = readAlike(question, [sentence]);
  const held = new Set(termsOf(sentence));
  return asked.filter((term) => held.has(term));
}

test('a question shares terms with the sentence that answers it', () => {
  expect(
    shared('How long do you take to process a refund?', 'We process all refunds within 14 days.'),
  ).toEqual(['process', 'refund']);
  expect(
    shared(
      'Wann wird die Erstattung überwiesen?',
      'Die Erstattungen werden innerhalb von 14 Tagen überwiesen.',
    ),
  ).not.toEqual([]);
  // Alone, neither shows which language it is in.
  expect(shared('Öffnungszeiten?', 'Öffnungszeiten: Dienstag bis Freitag 10 bis 18 Uhr')).not.toEqual([]);
});

test('words that only ask are not what is asked about', () => {
  const subject = (question: string) => readAlike(question, []).subject.match(/\p{L}+/gu);
  expect(subject('Hi, could you please tell me the price?')).toEqual(['you', 'me', 'the', 'price']);
  expect(subject('Je voudrais savoir où est la gare')).toEqual(['Je', 'est', 'la', 'gare']);
  expect(subject('Ich mochte wissen, was ein Ausweis kostet')).toEqual([
    'Ich',
    'was',
    'ein',
    'Ausweis',
    'kostet',
  ]);
  // Nothing else is asked about.
  expect(subject('Can you help me?')).toEqual(['Can', 'you', 'help', 'me']);
});

test('words joined by a hyphen are also one word', () => {
  expect(shared('wifi password', 'The Wi-Fi password changes every Monday.')).toEqual(['wifi', 'password']);
  expect(shared('late checkout', 'A late check\u2011out costs 25 francs.')).toEqual(['late', 'checkout']);
  expect(shared('Email', 'Ihre E-Mail-Adresse')).toEqual(['email']);
  expect(shared('914', 'Open 9-14, never at night.')).toEqual([]);
});

test('a misspelled word, another form or a compound stands for the word in the text', () => {
  expect(shared('massge price', 'The price of a massage is 95 francs.')).toEqual(['massag', 'price']);
  expect(shared('Kann ich verlängern?', 'Die Frist kann zweimal verlängert werden.')).toHaveLength(1);
  expect(shared('Mahngebühren?', 'Die Gebühren betragen 1 Euro je Woche.')).toHaveLength(1);
  expect(shared('information', 'Fill in the form.')).toEqual([]);
});
