import { expect, test } from 'vitest';
import { monthAt } from './entitlement.ts';

const at = (day: string) => new Date(`${day}T09:30:00Z`);

test('a month that starts on the 31st starts on the last day of shorter months, then on the 31st again', () => {
  let begun = at('2027-01-31');
  const begins: string[] = [];
  for (let day = begun; day < at('2028-03-31'); day = new Date(day.getTime() + 86_400_000)) {
    begun = monthAt(begun, day, 31);
    const shown = begun.toISOString().slice(0, 10);
    if (begins.at(-1) !== shown) begins.push(shown);
  }
  expect(begins).toEqual(
    '2027-01-31 2027-02-28 2027-03-31 2027-04-30 2027-05-31 2027-06-30 2027-07-31 2027-08-31 2027-09-30 2027-10-31 2027-11-30 2027-12-31 2028-01-31 2028-02-29'.split(
      ' ',
    ),
  );
});
