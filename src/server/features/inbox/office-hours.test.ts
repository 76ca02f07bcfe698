import { expect, test } from 'vitest';
import { isOpenAt } from './office-hours.ts';

type Hours = { from: string; to: string } | null;

/** Which of these moments, given in UTC, are within hours set for the named days: Monday is 0. */
function openAt(timeZone: string, hours: Record<number, Hours>, moments: string[]): boolean[] {
  const days = Array.from({ length: 7 }, (_, day) => hours[day] ?? null);
  return moments.map((moment) => isOpenAt({ timeZone, days }, new Date(`${moment}Z`)));
}

test('hours within a day begin with their first minute and end with their last', () => {
  const moments = ['2026-11-23T08:59:59', '2026-11-23T09:00', '2026-11-23T16:59:59', '2026-11-23T17:00'];
  const nine = { 0: { from: '09:00', to: '17:00' } };
  expect(openAt('UTC', nine, moments)).toEqual([false, true, true, false]);
  expect(openAt('UTC', nine, ['2026-11-24T10:00', '2026-11-22T10:00'])).toEqual([false, false]);
});

test('hours that end before they begin run into the next day, even from Sunday into Monday, and whole days join', () => {
  const night = { 6: { from: '22:00', to: '06:00' } };
  const moments = ['2026-11-22T05:00', '2026-11-22T21:59', '2026-11-22T22:00', '2026-11-23T05:59'];
  expect(openAt('UTC', night, moments)).toEqual([false, false, true, true]);
  expect(openAt('UTC', night, ['2026-11-23T06:00', '2026-11-23T23:00'])).toEqual([false, false]);
  const whole = { 0: { from: '00:00', to: '00:00' }, 1: { from: '00:00', to: '00:00' } };
  const around = [
    '2026-11-22T23:59',
    '2026-11-23T00:00',
    '2026-11-23T23:59:59',
    '2026-11-24T23:59',
    '2026-11-25T00:00',
  ];
  expect(openAt('UTC', whole, around)).toEqual([false, true, true, true, false]);
});

test('on the night the clocks go back, hours do not end and begin again', () => {
  // Berlin, 25 October 2026: 03:00 becomes 02:00 at 01:00 UTC.
  const night = { 5: { from: '22:00', to: '02:30' } };
  const moments = [
    '2026-10-24T20:00',
    '2026-10-25T00:29',
    '2026-10-25T00:45',
    '2026-10-25T01:29',
    '2026-10-25T01:30',
  ];
  expect(openAt('Europe/Berlin', night, moments)).toEqual([true, true, true, true, false]);
  const early = { 6: { from: '02:45', to: '06:00' } };
  const morning = [
    '2026-10-25T00:44',
    '2026-10-25T00:45',
    '2026-10-25T01:10',
    '2026-10-25T04:59',
    '2026-10-25T05:00',
  ];
  expect(openAt('Europe/Berlin', early, morning)).toEqual([false, true, true, true, false]);
});

test('on the night the clocks go forward, a skipped time is an hour later', () => {
  // Berlin, 29 March 2026: 02:00 becomes 03:00 at 01:00 UTC.
  const night = { 5: { from: '22:00', to: '02:30' }, 6: { from: '22:00', to: '06:00' } };
  const moments = ['2026-03-28T21:00', '2026-03-29T00:59', '2026-03-29T01:29', '2026-03-29T01:30'];
  expect(openAt('Europe/Berlin', night, moments)).toEqual([true, true, true, false]);
  expect(
    openAt('Europe/Berlin', night, ['2026-03-29T20:00', '2026-03-30T03:59', '2026-03-30T04:00']),
  ).toEqual([true, true, false]);
  // Zones with a half-hour offset, and zones ahead of the UTC date.
  expect(
    openAt('Asia/Kolkata', { 0: { from: '22:00', to: '06:00' } }, [
      '2026-11-23T16:30',
      '2026-11-24T00:29',
      '2026-11-24T00:30',
    ]),
  ).toEqual([true, true, false]);
  expect(
    openAt('Pacific/Auckland', { 0: { from: '22:00', to: '06:00' } }, [
      '2026-11-23T09:00',
      '2026-11-23T16:59',
      '2026-11-23T17:00',
    ]),
  ).toEqual([true, true, false]);
});
