import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { chunkText } from '../chunk.ts';
import { readDocument, type DocumentKind } from './read.ts';

const read = (kind: DocumentKind, text: string) => readDocument({ kind, data: Buffer.from(text) });

/** A PDF of one page with that drawing on it; readers mend its missing table of objects. */
function pdf(drawing: string): string {
  return `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R>>endobj
4 0 obj<</Length ${drawing.length}>>stream
${drawing}
endstream endobj
trailer<</Root 1 0 R>>
%%EOF`;
}

test('a PDF is read page by page', async () => {
  const { text } = await readDocument({ kind: 'pdf', data: await readFile('test/fixtures/libtasn1.pdf') });
  expect(text.split('\f').length).toBeGreaterThan(20);
  const found = chunkText(text).find((chunk) => chunk.text.includes('asn1_der_decoding'));
  expect(found?.page).toBeGreaterThan(1);
});

test('a PDF that is only a picture is said to hold no text', async () => {
  await expect(read('pdf', pdf('0 0 100 100 re f'))).rejects.toThrow('holds no text');
});

test.each(['pdf', 'docx'] as const)('a damaged %s fails with a reason', async (kind) => {
  await expect(read(kind, '%PDF-1.7 PK rubbish')).rejects.toThrow('damaged');
});

test('the tables of a DOCX are kept', async () => {
  const { text } = await readDocument({ kind: 'docx', data: await readFile('test/fixtures/tables.docx') });
  expect(text.length).toBeGreaterThan(10);
});

test('a page is read without its menus, scripts and forms, with its title and headings', async () => {
  const page = `<title> The  Shop </title><nav>Menu</nav><main><h1>Hours</h1><p>Nine to <b>five</b>.</p><h2>Sundays</h2><p>Closed.</p>
    <script>alert(1)</script><form>Send</form></main><footer>Imprint</footer>`;
  const { title, text } = await read('html', page);
  expect(title).toBe('The Shop');
  expect(text).toMatch(/# Hours\s+Nine to five\.\s+## Sundays\s+Closed\./);
  expect(text).not.toMatch(/Menu|alert|Send|Imprint/);
});

test('a page that only scripts fill is said to hold no text', async () => {
  await expect(read('html', '<div id="root"></div><script src="app.js"></script>')).rejects.toThrow(
    'holds no text',
  );
});

test.each([
  ['UTF-8', Buffer.from('Größe'), undefined],
  ['windows-1252 without a word about it', Buffer.from('Größe', 'latin1'), undefined],
  ['the charset that the site names', Buffer.from([0xee, 0xf2]), 'windows-1251'],
  ['UTF-16 with its mark', Buffer.from('\ufeffGröße', 'utf16le'), undefined],
])('text in %s is read', async (_what, data, charset) => {
  const { text } = await readDocument({ kind: 'plain', data, charset });
  expect(text).toBe(charset ? 'от' : 'Größe');
});

test.each<[DocumentKind, string]>([
  ['plain', 'One w\0or\u00add\u200bs.'],
  ['csv', 'One w\0or\u00add\u200bs.'],
  ['json', '["One w\\u0000or\\u00add\\u200bs.\\ud800"]'],
  ['html', '<p>One wor&shy;d&#x200b;s.'],
])('what the database cannot hold, and what only breaks words, is no part of a %s', async (kind, text) => {
  expect((await read(kind, text)).text.replace('\ufffd', '')).toBe('One words.');
});

test('what a page says of its product and of itself can be stored as well', async () => {
  const json = '{"@type":"Product","name":"Small\\u0000 pump","description":"It pu\\u00admps."}';
  const page = `<title>Pu&shy;mps</title><p>A pump.<script type="application/ld+json">${json}</script>`;
  const { title, card } = await read('html', page);
  expect(title).toBe('Pumps');
  expect(card).toMatchObject({ name: 'Small pump', description: 'It pumps.' });
});

test.each<[DocumentKind, string]>([
  ['plain', ' \n'],
  ['plain', '\u200b\u00ad'],
  ['json', '""'],
])('a %s of nothing is said to hold no text', async (kind, text) => {
  await expect(read(kind, text)).rejects.toThrow('holds no text');
});

test('a page nested ten thousand deep is read or fails, and the server goes on', async () => {
  const outcome = await read('html', `${'<div>'.repeat(10_000)}Deep.`).then(
    () => 'read',
    () => 'failed',
  );
  expect(['read', 'failed']).toContain(outcome);
});
