import { expect, test } from '@playwright/test';
import { graveFaults } from './axe.ts';

/** The basis of every journey's claim that nothing grave was found. */

const page = (body: string) => `<!doctype html><html lang="en"><title>A page</title><main>${body}</main>`;
const pale = '<p style="color: #ddd; background: #fff">Pale</p>';

test('serious faults in a page and its frames are found, each time, and nothing else', async ({
  page: tab,
}) => {
  await tab.setContent(page('<h1>All is well</h1>'));
  expect(await graveFaults(tab)).toEqual([]);
  await tab.setContent(page(`<img src="x">${pale}<iframe title="Inner"></iframe>`));
  await tab.frames()[1]?.setContent(page('<button></button>'));
  for (const _ of ['first', 'again'])
    expect(await graveFaults(tab)).toEqual([
      expect.stringMatching(/^color-contrast <p/),
      expect.stringMatching(/^image-alt <img/),
      expect.stringMatching(/^button-name <button/),
    ]);
  expect(await graveFaults(tab, { isTopOnly: true })).toHaveLength(2);
  expect(await graveFaults(tab, { rules: ['color-contrast'] })).toHaveLength(1);
});
