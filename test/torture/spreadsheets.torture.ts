import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { csvOf } from '../../src/server/csv.ts';
import { startProduct } from '../product.ts';
import { runProgram } from '../scan/program.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';

/** Exports opened in LibreOffice: no cell is a formula. */

let folder: string;
beforeAll(async () => {
  folder = await makeTemporaryFolder('sheet');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** LibreOffice's options for a file with any of these as separators: first only the comma, then what else people set. */
const SEPARATORS = ['44', '44/59/9'];
const UTF8 = 76;

interface Sheet {
  formulas: string[];
  texts: string[];
}

async function opened(csv: string, separators: string): Promise<Sheet> {
  await writeFile(path.join(folder, 'table.csv'), csv);
  const filter = `--infilter=CSV:${separators},34,${UTF8},1`;
  const output = await runProgram(
    '/usr/bin/soffice',
    ['--headless', filter, '--convert-to', 'fods', '--outdir', folder, 'table.csv'],
    folder,
  );
  const file = path.join(folder, 'table.fods');
  const sheet = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(output, { cause });
  });
  await rm(file);
  return {
    formulas: sheet.match(/table:formula="[^"]*"/g) ?? [],
    texts: [...sheet.matchAll(/<text:p>([^<]*)/g)].map(([, text = '']) => text.replaceAll('&apos;', "'")),
  };
}

const formula = '=1+1';
const hostile = [
  formula,
  '+1+1',
  '-1+1',
  '@SUM(1)',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  ' =1+1',
  '"=1+1',
  "'=1+1",
  "''=1+1",
  '＝1+1',
  '＋1+1',
  '－1+1',
  '＠SUM(1)',
  ';=1+1',
  ',=1+1',
  'a\n=1+1',
  'a"\n"=1+1',
  '=HYPERLINK("http://x")',
  '\u00a0=1+1',
  '\ufeff=1+1',
  '\u200b=1+1',
  '{=1+1}',
  "=cmd|' /C calc'!A0",
  'a;=1+1',
  'a\t=1+1',
  '";=1+1;"',
  '","=1+1',
];

test('a formula in a file is opened as one', async () => {
  expect((await opened(`${formula}\r\n`, '44')).formulas).toEqual(['table:formula="of:=1+1"']);
});

test.each(SEPARATORS)('no text becomes a formula, with the separators %s', async (separators) => {
  const { formulas, texts } = await opened(
    csvOf([hostile, ...hostile.map((text) => [text, text])]),
    separators,
  );
  expect(formulas).toEqual([]);
  expect(texts).toContain(`'${formula}`);
});

test.each(SEPARATORS)(
  'no name in an export becomes a formula, with the separators %s',
  async (separators) => {
    const product = await startProduct();
    const owner = product.as('owner');
    const { organization } = await owner.organization.create({ name: formula });
    for (const name of hostile.filter((text) => text.trim() === text && !/[\n\r\t]/.test(text)))
      await owner.chatbot.create({ organizationId: organization.id, name });
    const { csv } = await owner.audit.export({ organizationId: organization.id });
    const { formulas, texts } = await opened(csv, separators);
    expect(formulas).toEqual([]);
    expect(texts.filter((text) => text.includes('1+1')).length).toBeGreaterThan(5);
    await product.close();
  },
);
