import { expect, test } from 'vitest';
import { textOfFile } from './text-of-file.ts';

const said = 'question\nGrüße, größer?';

test.each([
  ['UTF-8', Buffer.from(said)],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${said}`)],
  ['UTF-16', Buffer.from(`\ufeff${said}`, 'utf16le')],
  ['Windows letters', Buffer.from(said, 'latin1')],
])('a table of questions is read in %s', async (_name, bytes) => {
  expect(await textOfFile(new Blob([new Uint8Array(bytes)]))).toBe(said);
});
