import { expect, onTestFinished, test, vi } from 'vitest';
import type { Conversation } from '../../../contract/chat.ts';
import { groupByTime } from './group-by-time.ts';

const now = new Date(2026, 5, 15, 12);
const at = (daysAgo: number, pinned = false) =>
  ({
    id: `${daysAgo}`,
    pinned,
    updatedAt: new Date(2026, 5, 15 - daysAgo, 11).toISOString(),
  }) as Conversation;

test('conversations are grouped by the reader’s days, pinned ones separately, in order', () => {
  const groups = groupByTime([at(400, true), at(0), at(1), at(2), at(6), at(8), at(40)], now);
  expect(groups.map(([group, members]) => [group, members.map(({ id }) => id)])).toEqual([
    ['chats.pinned', ['400']],
    ['chats.today', ['0']],
    ['chats.yesterday', ['1']],
    ['chats.week', ['2', '6']],
    ['chats.older', ['8', '40']],
  ]);
});

test('a day of 25 hours is yesterday from its first hour', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  onTestFinished(() => void vi.unstubAllEnvs());
  const early = { ...at(0), updatedAt: new Date(2026, 9, 25, 0, 30).toISOString() };
  expect(early.updatedAt).toBe('2026-10-24T22:30:00.000Z');
  expect(groupByTime([early], new Date(2026, 9, 26, 12))).toEqual([['chats.yesterday', [early]]]);
});
