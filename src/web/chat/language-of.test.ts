import { expect, test } from 'vitest';
import { languageOf } from './language-of.ts';

test.each([
  ['The book can be kept for 43 days, and that is all.', 'en'],
  ['Das Buch kann mit der Karte verlängert werden, und das ist nicht teuer.', 'de'],
  ['Le livre est dans la maison et vous pouvez le lire.', 'fr'],
  ['Книгу можно держать сорок три дня.', 'ru'],
  ['本は四十三日間借りられます。', 'ja'],
  ['这本书可以借四十三天。', 'zh'],
  ['42', 'en'],
])('%s is recognized as %s', (text, language) => {
  expect(languageOf(text)).toBe(language);
});
