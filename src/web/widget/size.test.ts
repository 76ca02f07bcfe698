import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const MAX_BYTES = 4096;

test('a launcher loads four kibibytes at most, compressed', async () => {
  const script = await readFile('dist/web/widget.js');
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(MAX_BYTES);
});
