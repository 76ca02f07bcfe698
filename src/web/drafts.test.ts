import { beforeEach, expect, test, vi } from 'vitest';
import { forgetDrafts, keepDraft, keepUnsent, readDraft, readUnsent } from './drafts.ts';

/** As the browser's own: what it holds are its properties. */
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

test('who signs out leaves neither what they were writing nor what could not be sent', () => {
  area['parley.other'] = 'stays';
  keepDraft('cnv_1', 'Half a thought');
  keepUnsent('cnv_1', '[]');
  expect([readDraft('cnv_1'), readUnsent('cnv_1')]).toEqual(['Half a thought', '[]']);
  forgetDrafts();
  expect([readDraft('cnv_1'), readUnsent('cnv_1')]).toEqual(['', '']);
  expect(Object.keys(area)).toEqual(['parley.other']);
});
