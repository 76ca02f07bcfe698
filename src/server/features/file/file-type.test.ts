import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fileNameOf } from './file-name.ts';
import { carriers } from '../../../../test/fixtures/hostile.ts';
import { zipOf } from '../../../../test/fixtures/zip-writer.ts';
import { DOCX, EPUB, fileTypeOf, PDF, PPTX, XLSX } from './file-type.ts';

const fixture = (name: string) => readFile(path.join(import.meta.dirname, '../../../../test/fixtures', name));
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const latin1 = (text: string) => Buffer.from(text, 'latin1');

const png = latin1('\u0089PNG\r\n\u001a\n\u0000\u0000\u0000\rIHDR\u0000\u0000\u0000\u0001');
const exe = Buffer.concat([
  latin1('MZ\u0090\u0000\u0003\u0000\u0000\u0000\u0004'),
  Buffer.alloc(64),
  latin1('This program cannot be run in DOS mode.'),
]);
const emptyZip = Buffer.concat([latin1('PK\u0005\u0006'), Buffer.alloc(18)]);

test.each([
  ['libtasn1.pdf', PDF],
  ['tables.docx', DOCX],
  ['guide.docx', DOCX],
  ['harbour.pptx', PPTX],
  ['fleet.xlsx', XLSX],
  ['deaths.xlsx', XLSX],
  ['developers-reference.epub', EPUB],
])('the real file %s is recognized whatever its name', async (name, type) => {
  const data = await fixture(name);
  for (const given of ['a.pdf', 'a.txt', 'a', 'a.exe', 'a.png']) expect(fileTypeOf(given, data)).toBe(type);
});

const ole = (stream: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1016), Buffer.from(stream, 'utf16le')]);

test.each([
  ['a.docx', 'EncryptedPackage', 'Remove the password'],
  ['a.doc', 'WordDocument', 'Save it as .docx'],
  ['a.ppt', 'PowerPoint Document', 'Save it as .pptx'],
  ['a.xls', 'Workbook', 'Save it as .xlsx'],
  ['a.xls', 'Book\0', 'Save it as .xlsx'],
  ['a.msg', '__properties_version1.0, Workbook', 'Save it as .html or .txt'],
  ['a.msi', 'anything else', 'Accepted types are'],
])('%s in the old format of %s is refused with advice', (name, stream, words) => {
  const refused = { code: 'storage/file-type', message: expect.stringContaining(words) };
  expect(() => fileTypeOf(name, ole(stream))).toThrow(expect.objectContaining(refused));
});

test('an archive of a million files is scanned no further than a document needs', () => {
  const files = Array.from({ length: 60_000 }, (_, index) => ({ name: `${index}`, packed: Buffer.alloc(0) }));
  expect(() => fileTypeOf('a.docx', zipOf([...files, ...carriers.docx({ content: '' })]))).toThrow(
    'is not a valid .docx file',
  );
});

test.each([
  ['a.txt', 'text/plain'],
  ['a.md', 'text/markdown'],
  ['a.markdown', 'text/markdown'],
  ['a.HTML', 'text/html'],
  ['a.htm', 'text/html'],
  ['a.csv', 'text/csv'],
  ['a.b.json', 'application/json'],
  ['a.tsv', 'text/tab-separated-values'],
  ['a.jsonl', 'application/x-ndjson'],
])('a text named %s is %s', (name, type) => {
  expect(fileTypeOf(name, Buffer.from('Grüße, 世界\r\n\t"x"'))).toBe(type);
});

test.each([
  ['UTF-8 with a mark', Buffer.from('\ufeffGrüße')],
  ['UTF-16 LE', utf16('Grüße 世界')],
  ['UTF-16 BE', utf16('Grüße 世界').swap16()],
  ['UTF-16 without a mark', Buffer.from('Open from nine to five', 'utf16le')],
  ['long UTF-16', utf16('世界'.repeat(50_000))],
  ['Windows-1252', latin1('Gr\u00fc\u00dfe \u0093quoted\u0094 \u0080 5')],
  ['Shift JIS', Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x81, 0x42])],
  ['Czech in Windows-1250', latin1('s\u00ed\u009d')],
  ['a text about PDF', Buffer.from('A file begins with %PDF-1.7 and ends with %%EOF.')],
  ['one character', Buffer.from('x')],
])('%s is text', (_what, data) => {
  expect(fileTypeOf('a.txt', data)).toBe('text/plain');
});

test.each([
  ['a PNG named .txt', 'a.txt', png],
  ['a program', 'a.exe', exe],
  ['a program named .txt', 'a.txt', exe],
  ['a text with an unknown name', 'a.log', Buffer.from('hello')],
  ['a text without an extension', 'README', Buffer.from('hello')],
  ['an SVG', 'a.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a text with NUL', 'a.txt', Buffer.from('hello\u0000')],
  ['a text with terminal controls', 'a.txt', Buffer.from('hello \u001b[31m')],
  ['broken UTF-16', 'a.txt', Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00])],
  ['UTF-16 with NUL', 'a.txt', utf16('a\u0000b')],
])('%s is refused with a list of accepted types', (_what, name, data) => {
  const refused = { code: 'storage/file-type', message: expect.stringContaining('.pdf, .docx') };
  expect(() => fileTypeOf(name, data)).toThrow(expect.objectContaining(refused));
});

test.each([
  ['a PNG named .pdf', 'a.pdf', png],
  ['a program named .docx', 'a.docx', exe],
  ['a text named .pdf', 'a.pdf', Buffer.from('hello')],
  ['an empty zip', 'a.docx', emptyZip],
  ['a zip without its end', 'a.docx', latin1('PK\u0003\u0004')],
])('%s is refused because it is not what its name says', (_what, name, data) => {
  const refused = {
    code: 'storage/file-type',
    message: expect.stringContaining('is damaged or is not a valid .'),
  };
  expect(() => fileTypeOf(name, data)).toThrow(expect.objectContaining(refused));
});

test('a zip that is not a Word file, or whose directory points outside, is refused', async () => {
  const docx = await fixture('tables.docx');
  const other = Buffer.from(
    docx.toString('latin1').replaceAll('word/document.xml', 'xlsx/document.xml'),
    'latin1',
  );
  expect(() => fileTypeOf('a.docx', other)).toThrow();
  expect(() => fileTypeOf('a.docx', docx.subarray(0, -30))).toThrow();
  const end = docx.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  for (const offset of [0, 1, docx.length, 0xffff_ffff]) {
    const lying = Buffer.from(docx);
    lying.writeUInt32LE(offset, end + 16);
    expect(() => fileTypeOf('a.docx', lying)).toThrow();
  }
});

test.each([
  ['report.pdf', 'report.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['/etc/passwd', 'passwd'],
  ['C:\\Users\\ada\\a.txt', 'a.txt'],
  ['a\u0000b\r\n.txt', 'ab.txt'],
  ['invoice\u202efdp.exe', 'invoicefdp.exe'],
  ['\u2066a\u2069.md', 'a.md'],
  ['  a b .md ', 'a b .md'],
  ['', 'file'],
  ['..', 'file'],
  ['a/', 'file'],
  ['\u202e', 'file'],
  ['.htaccess', '.htaccess'],
  ['😀.md', '😀.md'],
  ['a\ud800.md', 'a\ufffd.md'],
])('the name %j is shown as %j', (given, shown) => {
  expect(fileNameOf(given)).toBe(shown);
});

test('a long name keeps its extension', () => {
  const name = fileNameOf(`${'x'.repeat(500)}.markdown`);
  expect([name.length, name.endsWith('x.markdown')]).toEqual([200, true]);
  expect(fileNameOf(`${'😀'.repeat(300)}.md`).isWellFormed()).toBe(true);
  expect(fileNameOf(`a.${'x'.repeat(500)}`).length).toBeLessThanOrEqual(200);
});
