import { beforeEach, expect, test, vi } from 'vitest';
import { draftsAreOf, forgetDrafts, keepDraft, keepUnsent, readDraft, readUnsent } from './drafts.ts';

/** Like the browser's own: its contents are its properties. */
class Area {
  [key: string]: unknown;
}
Object.defineProperties(Area.prototype, {
  getItem: { value: (key: string) => area[key] ?? null },
  setItem: { value: (key: string, value: string) => (area[key] = value) },
  removeItem: { value: (key: string) => delete area[key] },
});
let area: Area;

beforeEach(() => {
  area = new Area();
  vi.stubGlobal('sessionStorage', area);
});

test('signing out removes drafts and unsent messages', () => {
  area['parley.other'] = 'stays';
  keepDraft('cnv_1', 'Half a thought');
  keepUnsent('cnv_1', '[]');
  expect([readDraft('cnv_1'), readUnsent('cnv_1')]).toEqual(['Half a thought', '[]']);
  forgetDrafts();
  expect([readDraft('cnv_1'), readUnsent('cnv_1')]).toEqual(['', '']);
  expect(Object.keys(area)).toEqual(['parley.other']);
});

test('drafts from an ended session are restored only for their author, and a guest keeps theirs on signing in', () => {
  const [dora, emil, guest] = ['dora', 'emil', 'guest'].map((uid) => ({ uid, isAnonymous: uid === 'guest' }));
  if (!dora || !emil || !guest) throw new Error('They are there.');
  draftsAreOf(guest);
  keepDraft('agt_1', 'As a guest');
  draftsAreOf(dora);
  expect(readDraft('agt_1')).toBe('As a guest');
  draftsAreOf(dora);
  expect(readDraft('agt_1')).toBe('As a guest');
  draftsAreOf(emil);
  expect(readDraft('agt_1')).toBe('');
  keepUnsent('agt_1', '[]');
  draftsAreOf(guest);
  expect(readUnsent('agt_1')).toBe('');
});
