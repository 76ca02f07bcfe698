import { expect, test } from 'vitest';
import { Leftovers } from './leftovers.ts';

const [here, elsewhere, person] = ['org_a', 'org_b', 'messages of usr_a'];

test('nothing is ample before a turn has shown it, nor after one that was refused or whose outcome is unknown', () => {
  const leftovers = new Leftovers();
  expect(leftovers.areAmple(here, person)).toBe(false);
  leftovers.note(here, person, { made: true, creditsLeft: 100, messagesLeft: 10 });
  expect(leftovers.areAmple(here, person)).toBe(true);
  leftovers.note(here, person, { made: false, creditsLeft: 100, messagesLeft: null });
  expect(leftovers.areAmple(here, person)).toBe(false);
  leftovers.note(here, person, { made: true, creditsLeft: null, messagesLeft: 10 });
  expect(leftovers.areAmple(here, person)).toBe(true);
  leftovers.note(here, person);
  expect(leftovers.areAmple(here, person)).toBe(false);
});

test('few credits or messages left are not ample', () => {
  const leftovers = new Leftovers();
  leftovers.note(here, person, { made: true, creditsLeft: 20, messagesLeft: 10 });
  expect(leftovers.areAmple(here, person)).toBe(false);
  leftovers.note(here, person, { made: true, creditsLeft: 21, messagesLeft: 2 });
  expect(leftovers.areAmple(here, person)).toBe(false);
});

test('a member’s free messages say nothing about other organizations, but counted messages do', () => {
  const leftovers = new Leftovers();
  leftovers.note(elsewhere, 'messages of usr_b', { made: true, creditsLeft: null, messagesLeft: 10 });
  leftovers.note(here, person, { made: true, creditsLeft: null, messagesLeft: null });
  expect(leftovers.areAmple(here, person)).toBe(true);
  expect(leftovers.areAmple(elsewhere, person)).toBe(false);
  leftovers.note(elsewhere, person, { made: true, creditsLeft: null, messagesLeft: 0 });
  expect(leftovers.areAmple(here, person)).toBe(true);
  expect(leftovers.areAmple(elsewhere, person)).toBe(false);
});
