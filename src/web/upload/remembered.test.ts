import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forget, recall, remember, rememberedUploads, type Remembered } from './remembered.ts';

const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

const file = new File(['hello'], 'a.txt', { lastModified: 7 });
const upload = (change: Partial<Remembered> = {}): Remembered => ({
  scope: 'agt_1',
  name: 'a.txt',
  size: 5,
  lastModified: 7,
  uploadUrl: '/v1/file/upload/upl_1',
  sent: 2,
  begunAt: Date.now(),
  ...change,
});

test('the same file resumes: same name, size and time, for the same purpose', () => {
  remember(upload());
  expect(recall('agt_1', file)?.uploadUrl).toBe('/v1/file/upload/upl_1');
  expect(recall('agt_2', file)).toBeUndefined();
  expect(recall('agt_1', new File(['hello'], 'a.txt', { lastModified: 8 }))).toBeUndefined();
  expect(recall('agt_1', new File(['hello!'], 'a.txt', { lastModified: 7 }))).toBeUndefined();
  expect(recall('agt_1', new File(['hello'], 'b.txt', { lastModified: 7 }))).toBeUndefined();
  forget('/v1/file/upload/upl_1');
  expect(recall('agt_1', file)).toBeUndefined();
  expect(kept.size).toBe(0);
});

test('a rewritten entry replaces the old one', () => {
  remember(upload());
  remember(upload({ sent: 4 }));
  expect(rememberedUploads('agt_1').map(({ sent }) => sent)).toEqual([4]);
});

test('an upload is forgotten after a day, on the server and in the browser', () => {
  remember(upload({ begunAt: Date.now() - 25 * 3_600_000 }));
  expect(rememberedUploads('agt_1')).toEqual([]);
});

test.each([
  'nonsense',
  '{}',
  '[1, null, "x"]',
  JSON.stringify([upload({ uploadUrl: 'https://evil.example/v1/file/upload/upl_1' })]),
  JSON.stringify([{ ...upload(), size: 'x' }]),
])('invalid content (%s) is ignored', (text) => {
  kept.set('parley.uploads', text);
  expect(rememberedUploads('agt_1')).toEqual([]);
});

test('no secret is stored', () => {
  remember(upload());
  expect(Object.keys((JSON.parse(kept.get('parley.uploads') ?? '') as object[])[0] ?? {}).toSorted()).toEqual(
    ['begunAt', 'lastModified', 'name', 'scope', 'sent', 'size', 'uploadUrl'],
  );
});
