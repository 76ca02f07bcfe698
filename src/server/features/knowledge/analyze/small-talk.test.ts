import { expect, test } from 'vitest';
import { smallTalkWords } from './small-talk-words.ts';
import { isSmallTalk, smallTalkIn } from './small-talk.ts';

test.each([
  ['Hi!', 'greeting', 'en'],
  ['Hello there, good morning 👋', 'greeting', 'en'],
  ['ok, thank you so much for your help!!', 'thanks', 'en'],
  ['Thanks, bye', 'farewell', 'en'],
  ['Guten Tag', 'greeting', 'de'],
  ['Super, vielen Dank für die Hilfe', 'thanks', 'de'],
  ['Tschuss', 'farewell', 'de'],
  ['¡Hola, buenos dias!', 'greeting', 'es'],
  ['Merci d’avance', undefined, undefined],
  ['Merci beaucoup !', 'thanks', 'fr'],
  ['ciao', 'greeting', 'it'],
  ['你好！', 'greeting', 'zh'],
  ['好的，谢谢你', 'thanks', 'zh'],
  ['ありがとうございます。', 'thanks', 'ja'],
  ['안녕하세요', 'greeting', 'ko'],
  ['Спасибо большое', 'thanks', 'ru'],
  ['مرحبا', 'greeting', 'ar'],
  ['Hi, is there parking?', undefined, undefined],
  ['thanks 42', undefined, undefined],
  ['yes', undefined, undefined],
  ['👍', undefined, undefined],
  ['Hidalgo', undefined, undefined],
])('%s', (text, kind, language) => {
  expect(smallTalkIn(text, [])).toEqual(kind && { kind, language });
});

test('a word of several languages is of one that the texts are in', () => {
  expect(smallTalkIn('Hallo', ['nl'])?.language).toBe('nl');
  expect(smallTalkIn('Hej', ['pl', 'en'])?.language).toBe('pl');
});

test.each(['yes', 'Ok, perfect', '👍', 'ja, gut', 'no'])('%s asks for nothing', (text) => {
  expect(isSmallTalk(text)).toBe(true);
});

test('every phrase of the lists is recognized', () => {
  for (const [language, { greeting, thanks, farewell }] of Object.entries(smallTalkWords))
    for (const [kind, list] of Object.entries({ greeting, thanks, farewell }))
      for (const phrase of list.split(','))
        expect(smallTalkIn(phrase, [language])).toEqual({ kind, language });
});
