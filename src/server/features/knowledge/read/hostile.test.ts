import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  carriers,
  documentOf,
  flateOf,
  packedZeros,
  pageOf,
  pdfOf,
  saying,
  streamOf,
} from '../../../../../test/fixtures/hostile.ts';
import { zipOf, type ZipPart } from '../../../../../test/fixtures/zip-writer.ts';
import { READER_MEMORY_MIB, READER_TIMEOUT_MS } from '../../../../contract/limits.ts';
import { chunkText } from '../index/chunk.ts';
import { runInProcess, runInThread } from '../worker/run.ts';
import type { Document } from './document.ts';
import { readDocument, type DocumentKind } from './read.ts';

const MIB = 1024 * 1024;
/** CPU time: a busy machine doesn't make it fail. */
const REFUSED_WITHIN_MS = 5000;
const archiveKinds = ['docx', 'pptx', 'xlsx', 'epub'] as const;

/** The reader in a thread, so that its CPU time is included in ours. */
const address = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
const thread = new URL(
  `data:text/javascript,${encodeURIComponent(
    `import { answer } from ${address('../worker/answer.ts')}; import { read } from ${address('readers.ts')}; answer(read);`,
  )}`,
);
const limits = { timeoutMs: READER_TIMEOUT_MS, memoryMib: READER_MEMORY_MIB };

/** The text, or the refusal's message; fails if either takes too long or isn't meant for people. */
async function outcomeOf(kind: DocumentKind, data: string | Uint8Array) {
  const start = process.cpuUsage();
  const request = { kind, data: Buffer.from(data as string) };
  const outcome = await runInThread<object, Document>(thread, request, limits).then(
    ({ text }) => ({ text }),
    (error: Error) => ({ refused: error.message }),
  );
  expect(processorMs(start)).toBeLessThan(REFUSED_WITHIN_MS);
  if ('refused' in outcome) expect(outcome.refused).toMatch(/^(?:This|The|It|Page|A table) .+\.$/);
  return outcome;
}

function processorMs(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const tooLarge = { refused: expect.stringContaining('too large to be read when decompressed') };
const giga = packedZeros(1024);

test.each(archiveKinds)('a %s of 1 MiB that unpacks to 1 GiB is refused', async (kind) => {
  expect(giga.length).toBeLessThan(1.1 * MIB);
  expect(await outcomeOf(kind, zipOf(carriers[kind]({ packed: giga, size: 1024 * MIB })))).toEqual(tooLarge);
  // A part that declares a small size isn't unpacked beyond it.
  for (const size of [1000, giga.length * 190])
    expect(await outcomeOf(kind, zipOf(carriers[kind]({ packed: giga, size })))).toEqual({
      refused: 'This file is damaged and cannot be read.',
    });
});

test.each(archiveKinds)('a %s with too many, too large or overlapping parts is refused', async (kind) => {
  const beside = (parts: ZipPart[]) =>
    zipOf([...carriers[kind]({ content: saying[kind]('Hello.') }), ...parts]);
  const noise = Buffer.alloc(1.2 * MIB, 7);
  const large = Array.from({ length: 6 }, (_, index) => ({
    name: `${index}`,
    packed: noise,
    size: 200 * MIB,
  }));
  expect(await outcomeOf(kind, beside(large))).toEqual(tooLarge);
  const many = Array.from({ length: 60_000 }, (_, index) => ({ name: `${index}`, packed: Buffer.alloc(0) }));
  expect(await outcomeOf(kind, beside(many))).toEqual({ refused: expect.stringContaining('too many parts') });
  const shared = Array.from({ length: 100 }, (_, index) => ({ name: `${index}`, offset: 0 }));
  expect(await outcomeOf(kind, beside(shared))).toEqual({ refused: expect.stringContaining('overlap') });
});

test.each(archiveKinds)('images and archives inside a %s are not unpacked', async (kind) => {
  const inside = ['media/a.png', 'embeddings/b.zip', 'images/c.jpeg', 'embeddings/d.docx'].map((name) => ({
    name: `word/${name}`,
    // Not even a deflate stream: unpacking it fails.
    packed: Buffer.from('rubbish'),
    size: 100,
  }));
  const picture = {
    docx: '</w:t><w:drawing/><w:t>',
    epub: '<img src="word/media/a.png"/>',
  };
  const content = saying[kind](`Hello.${kind in picture ? picture[kind as 'docx' | 'epub'] : ''}`);
  const { text } = (await outcomeOf(kind, zipOf([...carriers[kind]({ content }), ...inside]))) as {
    text: string;
  };
  expect(text).toContain('Hello.');
  expect(text).not.toMatch(/rubbish|!\[|a\.png/);
});

test.each(archiveKinds)('a %s with password-protected parts is refused with advice', async (kind) => {
  const locked = carriers[kind]({ content: saying[kind]('Hello.') }).map((part) => ({ ...part, flags: 1 }));
  expect(await outcomeOf(kind, zipOf(locked))).toEqual({
    refused: expect.stringContaining('Remove the password'),
  });
});

const laughs = Array.from(
  { length: 9 },
  (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
).join('');

test.each(
  archiveKinds.flatMap(
    (kind) =>
      [
        [kind, 'billion laughs', `<!DOCTYPE a [<!ENTITY e0 "laugh">${laughs}]>`, '&e9;'],
        [
          kind,
          'a quadratic entity',
          `<!DOCTYPE a [<!ENTITY e "${'laugh'.repeat(20_000)}">]>`,
          '&e;'.repeat(20_000),
        ],
        [kind, 'a file', '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>', '&e;'],
        [kind, 'an address', '<!DOCTYPE a [<!ENTITY e SYSTEM "http://127.0.0.1:9/laugh">]>', '&e;'],
        [kind, 'a parameter entity', '<!DOCTYPE a [<!ENTITY % e SYSTEM "file:///etc/passwd">%e;]>', '&e;'],
        [kind, 'two doctypes', '<!DOCTYPE a><!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>', '&e;'],
      ] as const,
  ),
)('a %s that declares %s has none of it read', async (kind, _what, prologue, text) => {
  const outcome = await outcomeOf(kind, documentOf(kind, text, prologue));
  // Pages may have a doctype; its declarations have no effect there.
  if (kind === 'epub') expect(JSON.stringify(outcome)).not.toMatch(/root:|laughlaugh/);
  else expect(outcome).toEqual({ refused: 'This file has a structure that cannot be read.' });
});

test.each(archiveKinds)(
  'a %s with a million numeric characters, or nested 10^5 deep, is read or refused',
  async (kind) => {
    const stored = (text: string) => {
      const content = Buffer.from(saying[kind](text));
      return zipOf(carriers[kind]({ content, packed: content, method: 0 }));
    };
    const { text } = (await outcomeOf(kind, stored('&#65;'.repeat(1_000_000)))) as { text: string };
    expect(text).toContain('A'.repeat(1_000_000));
    expect(await outcomeOf(kind, stored('<x>'.repeat(100_000)))).toHaveProperty('refused');
    await outcomeOf(kind, stored('<x/>'.repeat(1_000_000)));
  },
);

const zeros = streamOf('/Filter/FlateDecode', flateOf(giga));
const flate = (content: string | Buffer) => streamOf('/Filter/FlateDecode', deflateSync(content));
const font = '/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>';
const form = (content: string, next = '') =>
  streamOf(
    `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X ${next}>>>>`,
    Buffer.from(content),
  );
const doubling = Array.from({ length: 40 }, (_, index) => form('/X Do /X Do', `${index + 6} 0 R`));
const catalog = '<</Type/Catalog/Pages 2 0 R>>';
const leaf = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>';
const kids = (count: number, kid = '3 0 R ') => `<</Type/Pages/Kids[${kid.repeat(count)}]/Count ${count}>>`;
const drawing = '/Resources<</XObject<</X 5 0 R>>>>';

test.each([
  ['a stream of 1 GiB', pageOf(zeros), 'when decompressed'],
  [
    'a stream of 1 GiB that calls itself a picture',
    pageOf(streamOf('/Subtype/Image/Filter/FlateDecode', flateOf(giga))),
    'when decompressed',
  ],
  [
    'a page of 15 MiB of text',
    pageOf(flate('BT /F 9 Tf (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa) Tj ET\n'.repeat(300_000)), font),
    'when decompressed',
  ],
  ['5 million steps that draw nothing', pageOf(flate('q '.repeat(5_000_000))), 'takes too long'],
  ['brackets', pageOf(flate('['.repeat(15 * MIB))), 'has no text'],
  ['100,000 pages', pdfOf([catalog, kids(100_000), leaf]), 'more than 5,000 pages'],
  [
    'a million objects',
    pdfOf([catalog, kids(1), leaf, ...Array.from({ length: 1_000_000 }, () => 'null')]),
    'has no text',
  ],
  ['pages that hold themselves', pdfOf([catalog, kids(3, '2 0 R ')]), 'has no text'],
  [
    'a drawing that holds itself',
    pageOf(streamOf('', Buffer.from('/X Do')), drawing, [form('/X Do /X Do', '5 0 R')]),
    'has no text',
  ],
  [
    'a drawing of 2^40 drawings',
    pageOf(streamOf('', Buffer.from('/X Do')), drawing, [...doubling, form('0 0 m')]),
    '',
  ],
  ['objects nested 10^5 deep', pageOf('<</A '.repeat(100_000)), ''],
  [
    'a password',
    pdfOf(
      [catalog, kids(0), `<</Filter/Standard/V 1/R 2/O<${'aa'.repeat(32)}>/U<${'bb'.repeat(32)}>/P -4>>`],
      '/Root 1 0 R/Encrypt 3 0 R/ID[<aabb><aabb>]',
    ),
    'password',
  ],
])('a PDF with %s is refused', async (_what, data, words) => {
  expect(await outcomeOf('pdf', data)).toEqual({ refused: expect.stringContaining(words) });
});

test('scripts in a PDF are not run, and its text is read', async () => {
  const content = streamOf('', Buffer.from('BT /F 9 Tf (The pier opens at six in the morning.) Tj ET'));
  const data = pageOf(
    content,
    `${font}/AA<</O<</S/JavaScript/JS(this.addField\\("x"\\); app.alert\\(1\\))>>>>`,
  );
  expect(await outcomeOf('pdf', data)).toEqual({ text: 'The pier opens at six in the morning.' });
});

test('a PDF without its object table is repaired, and half of one is read or refused', async () => {
  const real = await readFile('test/fixtures/libtasn1.pdf');
  const lost = Buffer.from(real);
  lost.write('startxref\n9999999', real.lastIndexOf('startxref'), 'latin1');
  expect(await outcomeOf('pdf', lost)).toEqual({ text: expect.stringContaining('asn1_der_decoding') });
  await outcomeOf('pdf', real.subarray(0, real.length / 2));
});

const link = '<a href="x">link</a>\n';
const row = '<tr><td>cell</td><td>cell</td></tr>';

test.each([
  ['10^5 nested parts', '<div>'.repeat(100_000), 'refused'],
  ['a million links', link.repeat(1_000_000), 'refused'],
  ['100,000 links', link.repeat(100_000), 'text'],
  ['a table of 100 MB', `<table>${row.repeat(3_000_000)}`, 'refused'],
  ['a table of 50,000 rows', `<table>${row.repeat(50_000)}`, 'text'],
  [
    'cells over a thousand rows and columns',
    `<table>${row.replace('td', 'td rowspan=9999 colspan=9999').repeat(50_000)}`,
    'refused',
  ],
  ['100,000 hidden parts', `${'<i hidden>x</i>'.repeat(100_000)}Hello.`, 'text'],
  [
    'marks that every paragraph repeats',
    `<p>${Array.from({ length: 400 }, (_, id) => `<b id=${id}>`).join('')}</p>${'<p>x</p>'.repeat(50_000)}`,
    'text',
  ],
  ['lists in lists', `${'<ul><li>'.repeat(240)}${'x<br>'.repeat(100_000)}`, 'text'],
  [
    '300,000 attributes',
    `<a ${Array.from({ length: 300_000 }, (_, id) => `a${id}`).join(' ')}>x</a>`,
    'text',
  ],
  ['nothing but brackets', '<'.repeat(1_000_000), 'text'],
] as const)('a page of %s is read or refused in time', async (_what, html, outcome) => {
  expect(await outcomeOf('html', html)).toHaveProperty(outcome);
});

test.each([
  ['csv', 'a million columns', 'a,'.repeat(1_000_000), 'refused'],
  ['csv', 'a million lines of nothing', '\n'.repeat(1_000_000), 'refused'],
  ['csv', 'a line of 20 MB', 'a'.repeat(20_000_000), 'text'],
  ['csv', 'a quote that never ends', `a,b,c\n"${'x'.repeat(20_000_000)}`, 'text'],
  ['csv', '20 MB of quotes', '"'.repeat(20_000_000), 'text'],
  ['csv', 'three million cells', `a,b,c\n${'1,2,3\n'.repeat(1_000_000)}`, 'refused'],
  ['plain', 'a line of 100 MB', 'a'.repeat(100_000_000), 'refused'],
  ['json', 'ten million brackets', '['.repeat(10_000_000), 'refused'],
  ['json', 'a string of 15 MB of backslashes', `"${'\\'.repeat(15_000_000)}"`, 'text'],
  ['json', 'three million numbers', `[${'1,'.repeat(3_000_000)}1]`, 'text'],
  ['json', 'a million lines', '\n'.repeat(15_000_000), 'refused'],
  [
    'json',
    '100,000 keys that JavaScript knows',
    `{${Array.from({ length: 100_000 }, (_, id) => `"k${id}":{"__proto__":${id}}`).join()}}`,
    'text',
  ],
] as const)('a %s of %s is read or refused in time', async (kind, _what, text, outcome) => {
  expect(await outcomeOf(kind, text)).toHaveProperty(outcome);
});

test.each([
  ['[', '['.repeat(1_000_000)],
  ['bold', '**a**'.repeat(200_000)],
  ['quotes', '>'.repeat(1_000_000)],
  ['quoted lines', '> > > > >\n'.repeat(100_000)],
  ['headings', '###### a\n'.repeat(100_000)],
  ['heading marks', `# ${'#'.repeat(190)}x\n`.repeat(5000)],
  ['half links', `# ${'[a]('.repeat(45)}\n`.repeat(5000)],
  ['fences', '```\n'.repeat(200_000)],
  ['page breaks', '\f'.repeat(100_000)],
])('Markdown of only %s is read and chunked in time', async (_what, markdown) => {
  await outcomeOf('plain', markdown);
  const start = process.cpuUsage();
  chunkText(markdown);
  expect(processorMs(start)).toBeLessThan(REFUSED_WITHIN_MS);
});

test('a reader that dies takes nothing down with it', async () => {
  const page = { kind: 'html', data: Buffer.from(`<table>${row.repeat(40_000)}`) };
  const little = { timeoutMs: 30_000, memoryMib: 24 };
  const dying = runInProcess(new URL('reader.process.ts', import.meta.url), page, little);
  await expect(dying).rejects.toThrow('It needs more than 24 MiB of memory to read.');
  const other = await readDocument({ kind: 'html', data: Buffer.from('<p>Hello.') });
  expect(other).toMatchObject({ text: 'Hello.' });
});
