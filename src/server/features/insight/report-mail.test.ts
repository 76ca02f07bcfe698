import { expect, test } from 'vitest';
import { reportMail } from './report-mail.ts';
import { noSums } from './sums-store.ts';

test('a single item is singular, and thousands are formatted readably', () => {
  const range = {
    period: '7d',
    timeZone: 'UTC',
    from: '2026-11-16T00:00:00.000Z',
    until: '2026-11-23T00:00:00.000Z',
    beforeFrom: '2026-11-09T00:00:00.000Z',
    beforeUntil: '2026-11-15T23:00:00.000Z',
  } as const;
  const now = { ...noSums, conversations: 1, messages: 1, people: 1 };
  const before = { ...noSums, conversations: 12_345 };
  const mail = reportMail({
    organizationName: 'Acme',
    every: 'week',
    range,
    agents: [{ id: 'agt_1', name: 'Helper' }],
    sums: { together: { now, before }, byAgent: new Map([['agt_1', { now, before }]]) },
    link: 'https://parley.example/insights',
  });
  expect(mail.subject).toBe('Acme: 1 conversation in the week to November 22, 2026');
  expect(mail.text).toContain('Helper: 1 message, ');
  expect(mail.text).toContain('Conversations: 1 (before: 12,345).');
});
