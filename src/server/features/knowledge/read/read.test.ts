import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { pdfOf, streamOf } from '../../../../../test/fixtures/hostile.ts';
import { chunkText } from '../index/chunk.ts';
import { readDocument, type DocumentKind } from './read.ts';

const read = (kind: DocumentKind, text: string) => readDocument({ kind, data: Buffer.from(text) });

/** A one-page PDF with that drawing; readers repair its missing object table. */
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

test.each(['\r\n', '\r'])('headings and paragraphs are recognized with any line ending (%j)', async (end) => {
  const { text, title } = await read(
    'plain',
    ['# Boats', '', 'They sail.', '', '## Piers', 'Two.'].join(end),
  );
  expect(title).toBe('Boats');
  expect(chunkText(text)).toMatchObject([
    { text: 'They sail.', headingPath: ['Boats'] },
    { text: 'Two.', headingPath: ['Boats', 'Piers'] },
  ]);
});

test('an overlong title is truncated', async () => {
  const { title } = await read('html', `<title>${'Ferry '.repeat(3000)}</title><p>It sails.</p>`);
  expect(title).toMatch(/^Ferry Ferry/);
  expect(title?.length).toBeLessThanOrEqual(500);
});

test('words split by line ends are rejoined, and keep their own hyphens', async () => {
  const lines = [
    'The ship-',
    'ping office is well-',
    'known, a well-known one, with in-',
    'and outdoor seats for 9-',
    '17 guests.',
  ];
  const written = lines.map((line) => `(${line}) Tj T*`).join(' ');
  const font = '/Resources<</Font<</F 5 0 R>>>>';
  const document = pdf(`BT /F 9 Tf 12 TL 5 180 Td ${written} ET`)
    .replace('/Contents', `${font}/Contents`)
    .replace('trailer', '5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer');
  expect((await read('pdf', document)).text).toBe(
    'The shipping office is well-known, a well-known one, with in-\nand outdoor seats for 9-\n17 guests.',
  );
});

test('a PDF that is only an image is reported to have no text', async () => {
  await expect(read('pdf', pdf('0 0 100 100 re f'))).rejects.toThrow('has no text');
});

test.each(['pdf', 'docx'] as const)('a damaged %s fails with a reason', async (kind) => {
  await expect(read(kind, '%PDF-1.7 PK rubbish')).rejects.toThrow('damaged');
});

test('tables in a DOCX are kept', async () => {
  const { text } = await readDocument({ kind: 'docx', data: await readFile('test/fixtures/tables.docx') });
  expect(text.length).toBeGreaterThan(10);
});

test('a page is read without its menus and scripts, with its title and headings', async () => {
  const page = `<title> The  Shop </title><nav>Menu</nav><main><h1>Hours</h1><p>Nine to <b>five</b>.</p><h2>Sundays</h2><p>Closed.</p>
    <script>alert(1)</script></main><footer>Imprint</footer>`;
  const { title, text } = await read('html', page);
  expect(title).toBe('The Shop');
  expect(text).toMatch(/# Hours\s+Nine to five\.\s+## Sundays\s+Closed\./);
  expect(text).not.toMatch(/Menu|alert|Imprint/);
});

test('a form contributes its visible text, and may hold the whole page or be a heading', async () => {
  const page = `<form id="aspnet"><svg><title>Icon</title></svg><h1>Pumps</h1><h3><button>How is one returned?</button></h3><p>By post.</p>
    <label>Size <select><option>Small<option selected>Large</select></label><label><input type="checkbox"> As a gift</label>
    <input type="hidden" value="token"><input value="typed"><datalist><option>Guess</datalist><p hidden>Sent!</p>
    <dialog>Sure?</dialog><input type="submit" value="Order now"></form>`;
  const { title, text } = await read('html', page);
  expect(title).toBe('Pumps');
  expect(text).toBe(
    '# Pumps\n\n### How is one returned?\n\nBy post.\n\nSize\n\n- Small\n- Large\n\nAs a gift Order now',
  );
});

test('a page filled only by scripts is reported to have no text', async () => {
  await expect(read('html', '<div id="root"></div><script src="app.js"></script>')).rejects.toThrow(
    'has no text',
  );
});

const german = 'Größe und Öffnungszeiten für Kinder, täglich über die Brücke';
/** "Hours of opening, every day." */
const russian = 'Часы работы: ежедневно, без выходных дней.';
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
/** The same from both, and "opening hours are Monday to Friday" in Japanese, in other systems' encodings. */
const inKoi8 = hex('fec1d3d920d2c1c2cfd4d93a20c5d6c5c4cec5d7cecf2c20c2c5da20d7d9c8cfc4ced9c820c4cec5ca2e');
const in1251 = hex('d7e0f1fb20f0e0e1eef2fb3a20e5e6e5e4ede5e2edee2c20e1e5e720e2fbf5eee4edfbf520e4ede5e92e');
const inShiftJis = hex(
  '8963 8bc6 8e9e 8ad4 82cd 8c8e 976a 93fa 82a9 82e7 8be0 976a 93fa 82dc 82c5 82c5 82b7 8142',
);
const japanese = '営業時間は月曜日から金曜日までです。';
/** A table as saved by Excel in Japan: names and locations of shops. */
const tableInShiftJis = hex('935896bc2c8f5a8f8a0ae0dbe0e88ad92c8f61924a');
/** "Customers may return coffee beans within fourteen days." */
const thai = 'ลูกค้าสามารถคืนเมล็ดกาแฟภายในสิบสี่วัน';
const inWindows874 = hex('c5d9a1a4e9d2cad2c1d2c3b6a4d7b9e0c1c5e7b4a1d2e1bfc0d2c2e3b9cad4bacad5e8c7d1b9');
const czech = 'síť;propojení uzlů\nťuhýk;pták se zahnutým zobákem';
const inWindows1250 = hex(
  '73ed9d3b70726f706f6a656eed20757a6cf90a9d7568fd6b3b7074e16b207365207a61686e7574fd6d207a6f62e16b656d',
);
const serbian = 'Ђорђе ради од осам часова.';
const serbianIn1251 = hex('80eef090e520f0e0e4e820eee420eef1e0ec20f7e0f1eee2e02e');

test.each<[string, Buffer, string, string?]>([
  ['UTF-8', Buffer.from('Größe'), 'Größe'],
  ['UTF-8 with its mark', Buffer.from('\ufeffGröße'), 'Größe'],
  [
    'UTF-8 of which one sign is torn',
    Buffer.concat([Buffer.from(german.repeat(2)), Buffer.from([0xfc])]),
    `${german.repeat(2)}\ufffd`,
  ],
  ['UTF-8, of which the site says that it is Western', Buffer.from('Größe'), 'Größe', 'iso-8859-1'],
  ['windows-1252 without a word about it', Buffer.from('Größe', 'latin1'), 'Größe'],
  ['windows-1252, of which the site says that it is UTF-8', Buffer.from(german, 'latin1'), german, 'utf-8'],
  ['the charset that the site names', Buffer.from([0xee, 0xf2]), 'от', 'windows-1251'],
  ['a charset that nobody knows', Buffer.from('Größe'), 'Größe', 'x-of-ours'],
  ['UTF-16 with its mark', Buffer.from('\ufeffGröße', 'utf16le'), 'Größe'],
  ['UTF-16 without a mark', Buffer.from(german, 'utf16le'), german],
  ['UTF-16 in the other order', Buffer.from(russian, 'utf16le').swap16(), russian],
  ['KOI8-R without a word about it', inKoi8, russian],
  ['windows-1251 without a word about it', in1251, russian],
  ['Shift_JIS without a word about it', inShiftJis, japanese],
  ['Shift_JIS, a few names', tableInShiftJis, '店名,住所\n珈琲館,渋谷'],
  ['windows-874', inWindows874, thai],
  ['windows-1250 with signs that are none in Western texts', inWindows1250, czech],
  ['windows-1251 with such signs', serbianIn1251, serbian],
])('text in %s is read', async (_what, data, said, charset) => {
  const { text } = await readDocument({ kind: 'plain', data, charset });
  expect(text).toBe(said);
});

test.each<[string, string, Buffer]>([
  [
    'its head',
    '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">',
    Buffer.from([0xcf, 0xd4]),
  ],
  ['the XML that it is', '<?xml version="1.0" encoding="windows-1251"?>', Buffer.from([0xee, 0xf2])],
  ['its head, wrongly', '<meta charset="utf-16">', Buffer.from('от')],
])('a page has the encoding stated in %s', async (_where, head, said) => {
  const data = Buffer.concat([Buffer.from(`${head}<p>`), said]);
  expect((await readDocument({ kind: 'html', data })).text).toBe('от');
});

test('pronunciation marks are not written between words', async () => {
  const page =
    '<p><ruby>珈琲<rp>(</rp><rt>コーヒー</rt><rp>)</rp></ruby>の<ruby>価格<rt>かかく</rt></ruby></p>';
  expect((await read('html', page)).text).toBe('珈琲の価格');
});

test.each<[DocumentKind, string]>([
  ['plain', 'One w\0or\u00add\u200bs.'],
  ['csv', 'One w\0or\u00add\u200bs.'],
  ['json', '["One w\\u0000or\\u00add\\u200bs.\\ud800"]'],
  ['html', '<p>One wor&shy;d&#x200b;s.'],
])(
  'characters that the database cannot store or that only split words are dropped from a %s',
  async (kind, text) => {
    expect((await read(kind, text)).text.replace('\ufffd', '')).toBe('One words.');
  },
);

test('a page’s product data and title can be stored as well', async () => {
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
])('an empty %s is reported to have no text', async (kind, text) => {
  await expect(read(kind, text)).rejects.toThrow('has no text');
});

test('a page nested ten thousand deep is read or fails, and the server survives', async () => {
  const outcome = await read('html', `${'<div>'.repeat(10_000)}Deep.`).then(
    () => 'read',
    () => 'failed',
  );
  expect(['read', 'failed']).toContain(outcome);
});

test('pages of a PDF that are pictures are named, and empty ones are not', async () => {
  const page = (content: number) =>
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents ${content} 0 R/Resources<</Font<</F 3 0 R>>/XObject<</I 4 0 R>>>>>>`;
  const picture = '/Subtype/Image/Width 600/Height 800/ColorSpace/DeviceGray/BitsPerComponent 8';
  const withPages = (...contents: string[]) =>
    pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Kids[${contents.map((_, at) => `${2 * at + 5} 0 R`).join(' ')}]/Count ${contents.length}>>`,
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      streamOf(picture, Buffer.alloc(480_000, 100)),
      ...contents.flatMap((content, at) => [page(2 * at + 6), streamOf('', Buffer.from(content))]),
    ]);
  const text = 'BT /F 9 Tf (The pier opens at six in the morning, and closes at nine.) Tj ET';
  const drawn = 'q 200 0 0 200 0 0 cm /I Do Q';
  const leftOutOf = async (...contents: string[]) =>
    (await readDocument({ kind: 'pdf', data: withPages(...contents) })).leftOut;
  expect(
    await leftOutOf(text, `${text} ${drawn}`, '', 'q Q', '1 0 0 -1 0 200 cm q Q', '0 0 100 100 re f'),
  ).toBeUndefined();
  expect(await leftOutOf(text, drawn)).toContain('Page 2 of this PDF is a picture.');
  expect(await leftOutOf(`BT /F 9 Tf (1) Tj ET ${drawn}`, text, '', drawn)).toContain(
    '2 pages of this PDF are pictures; the first of them is page 1.',
  );
});
