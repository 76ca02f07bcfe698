import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { carriers, saying } from '../../../../../test/fixtures/hostile.ts';
import { zipOf } from '../../../../../test/fixtures/zip-writer.ts';
import { chunkText } from '../index/chunk.ts';
import { readDocument, type DocumentKind } from './read.ts';

const readFixture = async (kind: DocumentKind, name: string) =>
  readDocument({ kind, data: await readFile(`test/fixtures/${name}`) });
const read = (kind: DocumentKind, text: string | Uint8Array) =>
  readDocument({ kind, data: Buffer.from(text as string) });

test('a presentation is read slide by slide, with titles, lists, tables and notes', async () => {
  const { title, text } = await readFixture('pptx', 'harbour.pptx');
  expect(title).toBe('Harbour tours');
  expect(text.split('\f').map((slide) => slide.trim())).toEqual([
    '# Harbour tours in winter\n\n- Boats leave at ten and at two\n  - Not on Mondays\n- Dogs travel free of charge\n\n## Notes\n\nMention that the heating was repaired in October.',
    '# Prices & boats\n\n| Boat: Möwe | Seats: 48 | Adult fare: 12.50 € |\n| Boat: Seestern | Seats: 120 | Adult fare: 9.00 € |',
    // This slide is hidden: it keeps its number and shows nothing.
    '',
    '# Slide 4\n\nCall the pier master on 040 555 017.\n\nLost property is kept for thirty days.',
  ]);
  const chunks = chunkText(text);
  expect(chunks.map(({ headingPath, page }) => [headingPath.join(' > '), page])).toEqual([
    ['Harbour tours in winter', 1],
    ['Harbour tours in winter > Notes', 1],
    ['Prices & boats', 2],
    ['Slide 4', 4],
  ]);
});

test('a workbook is read sheet by sheet, with dates and numbers as displayed', async () => {
  const { title, text } = await readFixture('xlsx', 'fleet.xlsx');
  expect(title).toBe('The fleet');
  expect(text).toBe(
    [
      '# Boats',
      '',
      'The fleet of the harbour company',
      '',
      '| Pier: North pier | Boat: Möwe | Built: May 1998 | Next inspection: 2026-03-01 | Price: 1,234,567.50 € | Occupancy: 25.6% | Leaves: 14:30 |',
      '| Pier: North pier | Boat: Seestern | Built: November 2004 | Next inspection: 2026-12-24 | Price: 980,000.00 € | Occupancy: 50.0% | Leaves: 09:05 |',
      '| Pier: South pier | Boat: Albatros | Price: 2,214,567.50 € |',
      '',
      '# Phone list',
      '',
      '| Pier master | 040 555 017 |',
      '| Lost property | 040 555 018 |',
    ].join('\n'),
  );
});

test('a table is found between the remarks around it', async () => {
  const { text } = await readFixture('xlsx', 'deaths.xlsx');
  expect(text).toContain('# arts');
  expect(text).toContain(
    '| Name: David Bowie | Profession: musician | Age: 69 | Has kids: TRUE | Date of birth: 1947-01-08 | Date of death: 2016-01-10 |',
  );
  expect(text).toContain('Name: John Glenn | Profession: astronaut');
});

test('every passage of a long table says what its numbers mean', async () => {
  const rows = Array.from({ length: 500 }, (_, index) => `Pump ${index};${index * 3};Oslo`);
  const { text } = await read('csv', ['Product;Price;Town', ...rows].join('\n'));
  const chunks = chunkText(text);
  expect(chunks.length).toBeGreaterThan(10);
  for (const chunk of chunks) expect(chunk.text).toMatch(/Product: Pump \d+ \| Price: \d+ \| Town: Oslo/);
});

test('a narrow table is written in blocks that each begin with its header', async () => {
  const rows = Array.from({ length: 300 }, (_, index) => `term number ${index},what it means in words`);
  const { text } = await read('csv', ['Term,Meaning', ...rows].join('\n'));
  const chunks = chunkText(text);
  expect(chunks.length).toBeGreaterThan(5);
  for (const chunk of chunks) expect(chunk.text).toContain('| Term | Meaning |');
});

test.each([
  ['commas', 'Name,City,Age\nAnna,"Oslo, Norway",42\n'],
  ['semicolons', 'Name;City;Age\r\nAnna;Oslo, Norway;42\r\n'],
  ['tabs', 'Name\tCity\tAge\nAnna\t"Oslo,\n Norway"\t42'],
])('a CSV with %s is read', async (_what, csv) => {
  expect((await read('csv', csv)).text).toBe('| Name: Anna | City: Oslo, Norway | Age: 42 |');
});

test('a CSV without a header keeps its first row', async () => {
  expect((await read('csv', '1,2,3\n4,5,6')).text).toBe('| 1 | 2 | 3 |\n| 4 | 5 | 6 |');
  expect((await read('csv', 'He said ""no""\nand went.')).text).toBe('He said ""no""\nand went.');
});

test('of the fields at the top of a Markdown file, its title and description are read', async () => {
  const fields =
    'title: "Returns: how they work"\r\ndescription: Within a month.\r\nlayout: post\r\ntags: [returns]';
  const { title, text } = await read('plain', `---\r\n${fields}\r\n---\r\n\r\nBring the receipt.\r\n`);
  expect([title, text]).toEqual([
    'Returns: how they work',
    '# Returns: how they work\n\nWithin a month.\n\nBring the receipt.',
  ]);
  expect((await read('plain', '---\ntitle: Returns\n---\n# All about returns\n\nBring it.')).text).toBe(
    '# All about returns\n\nBring it.',
  );
});

test.each([
  ['between two rules', '---\nWe close at six.\n---\nThen we rest.'],
  ['after a single rule', '---\nhours: nine to six'],
  ['that is broken', '---\ntitle: "Returns\n---\nBring the receipt.'],
])('text %s is kept', async (_where, text) => {
  expect((await read('plain', text)).text).toBe(text);
});

test('a book is read chapter by chapter, without its table of contents', async () => {
  const { title, text } = await readFixture('epub', 'developers-reference.epub');
  expect(title).toBe('developers-reference');
  expect(text.indexOf('# 1. Scope of This Document')).toBeGreaterThanOrEqual(0);
  expect(text.indexOf('# 2. Applying to Become a Member')).toBeGreaterThan(text.indexOf('# 1. Scope'));
  const chunk = chunkText(text).find(({ text: words }) =>
    words.includes('Firstly, subscribe to debian-devel'),
  );
  expect(chunk?.headingPath).toEqual(['2. Applying to Become a Member', '2.1. Getting started']);
});

test('a book keeps its notes and the titles in headers, and a chapter that is only a picture is passed over', async () => {
  const names = ['cover', 'one'];
  const items = names.map(
    (name) => `<item id="${name}" href="${name}.xhtml" media-type="application/xhtml+xml"/>`,
  );
  const spine = names.map((name) => `<itemref idref="${name}"/>`);
  const chapter =
    '<header><h1>Ferries</h1></header><p>The captain is called Ingrid Dahl.</p><p>The ferry leaves at noon.</p>' +
    '<aside epub:type="footnote">She retired in 2019.</aside>';
  const book = zipOf([
    { name: 'META-INF/container.xml', content: '<container><rootfile full-path="book.opf"/></container>' },
    {
      name: 'book.opf',
      content: `<package><manifest>${items.join('')}</manifest><spine>${spine.join('')}</spine></package>`,
    },
    { name: 'cover.xhtml', content: '<html><body><img src="cover.jpg"/></body></html>' },
    { name: 'one.xhtml', content: `<html><body>${chapter}</body></html>` },
  ]);
  expect((await read('epub', book)).text).toBe(
    '# Ferries\n\nThe captain is called Ingrid Dahl.\n\nThe ferry leaves at noon.\n\nShe retired in 2019.',
  );
});

test('a book with encrypted chapters is refused, one with encrypted fonts is read', async () => {
  const book = (uri: string) => [
    ...carriers.epub({ content: saying.epub('The sea rises.') }),
    {
      name: 'META-INF/encryption.xml',
      content: `<encryption><EncryptedData><CipherData><CipherReference URI="${uri}"/></CipherData></EncryptedData></encryption>`,
    },
  ];
  await expect(read('epub', zipOf(book('a.xhtml')))).rejects.toThrow('copy-protected');
  expect((await read('epub', zipOf(book('fonts/a.otf')))).text).toBe('The sea rises.');
});

test('a Word document from another program is read with its headings, lists and tables', async () => {
  const { title, text } = await readFixture('docx', 'guide.docx');
  expect(title).toBe('Guide to the harbour');
  expect(text).toContain('# Arriving\n\nThe ferry terminal opens at six in the morning.\n\n## By train');
  expect(text).toContain('- Bicycles need a ticket.\n- Dogs do not.');
  expect(text).toContain('| Season: Summer | First boat: 06:10 | Last boat: 22:45 |');
});

const words = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const formatted = (properties: string, text: string) =>
  words(text).replace('<w:r>', `<w:r><w:rPr>${properties}</w:rPr>`);

test.each([
  [
    'the result of a field',
    `<w:fldSimple w:instr=" IF 1 > 0 ">${words('Edition of May')}</w:fldSimple>`,
    'Edition of May',
  ],
  ['a field without one', `${words('Edition')}<w:fldSimple w:instr="DATE"/>`, 'Edition'],
  [
    'words with their pronunciation',
    `<w:r><w:ruby><w:rubyPr/><w:rt>${words('かんじ')}</w:rt><w:rubyBase>${words('漢字')}</w:rubyBase></w:ruby></w:r>${words('です')}`,
    '漢字です',
  ],
  [
    'a formula',
    `<m:oMathPara><m:oMath><m:r><m:t>x=</m:t></m:r><m:f><m:fPr><m:ctrlPr/></m:fPr><m:num><m:rad><m:deg/><m:e><m:sSup><m:e><m:r><m:t>b</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:e></m:rad></m:num><m:den><m:r><m:t>2a</m:t></m:r></m:den></m:f></m:oMath></m:oMathPara>`,
    'x=(√(b^(2)))/(2a)',
  ],
  [
    'what is not hidden',
    `${words('A ferry')}${formatted('<w:vanish/><w:sz w:val="20"/>', ' (our cost: 3)')}${formatted('<w:vanish w:val="true"></w:vanish>', ' and more')}${formatted('<w:vanish w:val="0"/>', ' costs 9.')}`,
    'A ferry costs 9.',
  ],
])('in a Word document %s is read', async (_what, inside, said) => {
  const math = 'http://schemas.openxmlformats.org/officeDocument/2006/math';
  const content = saying
    .docx('')
    .replace('<w:document', `<w:document xmlns:m="${math}"`)
    .replace('<w:r><w:t></w:t></w:r>', inside);
  expect((await read('docx', zipOf(carriers.docx({ content })))).text).toBe(said);
});

/** Styles of a Word document: for each its type, its ID, the style it is based on, and its mark as hidden. */
const stylesOf = (...styles: [type: string, id: string, basedOn: string, mark: string][]) => ({
  name: 'word/styles.xml',
  content: `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${styles
    .map(
      ([type, id, basedOn, mark]) =>
        `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${id}"/><w:basedOn w:val="${basedOn}"/><w:rPr>${mark}</w:rPr></w:style>`,
    )
    .join('')}</w:styles>`,
});

test('in a Word document what only a style hides is not read, in the text and in its notes', async () => {
  const styles = stylesOf(
    ['paragraph', 'Normal', '', ''],
    ['paragraph', 'Internal', 'Normal', '<w:vanish/>'],
    ['paragraph', 'Margin', 'Internal', '<w:b/>'],
    ['paragraph', 'Public', 'Internal', '<w:vanish w:val="0"/>'],
    ['paragraph', 'Circle', 'Circle', ''],
    ['character', 'Secret', '', '<w:vanish w:val="1"/>'],
  );
  const paragraph = (style: string, inside: string) =>
    `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${inside}</w:p>`;
  const secret = formatted('<w:rStyle w:val="Secret"/>', ' (our cost: 3)');
  const note = '<w:r><w:footnoteReference w:id="2"/></w:r>';
  const content = saying
    .docx('')
    .replace(
      '<w:p><w:r><w:t></w:t></w:r></w:p>',
      [
        paragraph('Normal', `${words('A ferry costs 9.')}${secret}${note}`),
        paragraph('Internal', `${words('Discount')}${formatted('<w:vanish w:val="0"/>', 'Ask us.')}`),
        paragraph('Margin', `${words('Margin')}<w:hyperlink w:anchor="a">${words('6')}</w:hyperlink>`),
        paragraph('Public', words('Dogs are free.')),
        paragraph('Circle', words('Cats too.')),
      ].join(''),
    );
  const footnotes = {
    name: 'word/footnotes.xml',
    content: `<w:footnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:footnote w:id="2">${paragraph('Normal', `${words('In summer.')}${secret}`)}${paragraph('Internal', words('Until we raise it.'))}</w:footnote></w:footnotes>`,
  };
  const { text } = await read('docx', zipOf([...carriers.docx({ content }), styles, footnotes]));
  expect(text).toMatch(
    /^A ferry costs 9\.\S*\n\nAsk us\.\n\nDogs are free\.\n\nCats too\.\n\n\S* ?In summer\./,
  );
  expect(text).not.toMatch(/cost: 3|Discount|Margin|raise/);
});

const hyperlinks = (part: string, ...addresses: string[]) => ({
  name: part,
  content: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${addresses
    .map(
      (address, at) =>
        `<Relationship Id="rL${at}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="${address}" TargetMode="External"/>`,
    )
    .join('')}</Relationships>`,
});

test('where a file’s links lead is said after their words, unless these say it', async () => {
  const booking = 'https://ferry.example/book?a=1';
  const related = '<w:document xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
  const linked = (id: string, text: string) =>
    `</w:t></w:r><w:hyperlink r:id="${id}">${words(text)}</w:hyperlink><w:r><w:t>`;
  const content = saying
    .docx(`Use the ${linked('rL0', 'form')} or write to ${linked('rL1', 'info@ferry.example')}.`)
    .replace('<w:document', related);
  const rels = hyperlinks('word/_rels/document.xml.rels', booking, 'mailto:info@ferry.example?subject=Hi');
  expect((await read('docx', zipOf([...carriers.docx({ content }), rels]))).text).toBe(
    `Use the form (${booking}) or write to info@ferry.example.`,
  );

  const run = (text: string) => `<a:r><a:rPr><a:hlinkClick r:id="rL0"/></a:rPr><a:t>${text}</a:t></a:r>`;
  const slide = saying.pptx('Use the ').replace('</a:p>', `${run('boo')}${run('king form')}</a:p>`);
  const slideRels = hyperlinks('ppt/slides/_rels/slide1.xml.rels', booking);
  expect((await read('pptx', zipOf([...carriers.pptx({ content: slide }), slideRels]))).text).toContain(
    `Use the booking form (${booking})`,
  );

  const cell = (ref: string, text: string, formula = '') =>
    `<c r="${ref}" t="str">${formula && `<f>${formula}</f>`}<v>${text}</v></c>`;
  const sheet = `<worksheet><sheetData><row r="1">${cell('A1', 'Name')}${cell('B1', 'Form')}${cell('C1', 'Call')}</row><row r="2">${cell('A2', 'Ferry')}${cell('B2', 'Open')}${cell('C2', 'Us', 'HYPERLINK(&quot;tel:+49%2030%20123456&quot;,&quot;Us&quot;)')}</row></sheetData><hyperlinks><hyperlink ref="B2" r:id="rL0"/><hyperlink ref="Z9" r:id="rL0"/></hyperlinks></worksheet>`;
  const sheetRels = hyperlinks('xl/worksheets/_rels/sheet1.xml.rels', booking);
  expect((await read('xlsx', zipOf([...carriers.xlsx({ content: sheet }), sheetRels]))).text).toContain(
    `| Name: Ferry | Form: Open (${booking}) | Call: Us (+49 30 123456) |`,
  );
});

test('JSON is written without its punctuation', async () => {
  const description = 'It pumps. '.repeat(60).trim();
  const shop = {
    shop: 'Harbour pumps',
    open: { monday: '9 to 5', sunday: null },
    products: [
      { name: 'Small pump', price: 12.5, sizes: ['S', 'M'] },
      { name: 'Large pump', description, parts: { motor: { watts: 900 } } },
    ],
  };
  expect((await read('json', JSON.stringify(shop))).text).toBe(
    [
      'shop: Harbour pumps',
      'open.monday: 9 to 5',
      '',
      '# products',
      '',
      '| name: Small pump | price: 12.5 | sizes: S, M |',
      '',
      '## Large pump',
      '',
      'name: Large pump',
      `description: ${description}`,
      'parts.motor.watts: 900',
    ].join('\n'),
  );
});

test('numbers in JSON keep all their digits', async () => {
  expect((await read('json', '{"account":12345678901234567890,"fee":1.10}')).text).toBe(
    'account: 12345678901234567890\nfee: 1.10',
  );
  expect((await read('json', '{"id":9007199254740993}\n{"id":-1e400}\n')).text).toBe(
    '| id: 9007199254740993 |\n| id: -1e400 |',
  );
});

test('JSON Lines are records, and invalid JSON is text', async () => {
  expect((await read('json', '{"a":1,"b":"x"}\n\n{"a":2,"__proto__":"y"}\n')).text).toBe(
    '| a: 1 | b: x |\n| a: 2 | __proto__: y |',
  );
  expect((await read('json', '{ name: "Anna" } // not quite')).text).toBe('{ name: "Anna" } // not quite');
});

test('a part may be in UTF-16 and use its own prefixes', async () => {
  const content = `<?xml version="1.0" encoding="UTF-16"?>${saying.xlsx('Größe 世界').replace(/<(\/?)(\w)/g, '<$1x:$2')}`;
  const data = zipOf(carriers.xlsx({ content: Buffer.from(`\ufeff${content}`, 'utf16le') }));
  expect((await read('xlsx', data)).text).toBe('# One\n\nGröße 世界');
});

const workbook = (cells: string) =>
  read(
    'xlsx',
    zipOf(
      carriers.xlsx({ content: `<worksheet><sheetData><row r="1">${cells}</row></sheetData></worksheet>` }),
    ),
  );

test('a workbook keeps the digits of article and account numbers, and decodes numeric characters', async () => {
  const cells =
    '<c r="A1"><v>4006381333931</v></c><c r="B1" t="inlineStr"><is><t>One_x000D_\nTwo _x005F_x0041_</t></is></c>';
  expect((await workbook(cells)).text).toBe('# One\n\n| 4006381333931 | One Two _x0041_ |');
});

test('the parts of a document are found whatever the spelling of their names', async () => {
  const parts = carriers.xlsx({ content: saying.xlsx('Boats') }).map((part) => ({
    ...part,
    name: part.name.replace('sheet1', 'Sheet1').replaceAll('/', '\\'),
  }));
  expect((await read('xlsx', zipOf(parts))).text).toBe('# One\n\nBoats');
});

test('an Office file with a password or in an old format is refused with advice', async () => {
  const older = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2048)]);
  await expect(read('docx', older)).rejects.toThrow('Save it as DOCX');
  const locked = Buffer.concat([older, Buffer.from('EncryptedPackage', 'utf16le')]);
  await expect(read('xlsx', locked)).rejects.toThrow('password-protected');
});
