import { UnreadableError, type Document } from './document.ts';
import { TABLE_CELLS_MAX } from './limits.ts';
import { linksOf, relationIdOf, relationsOf, requiredPart, titleOf } from './office.ts';
import { readRows, type Book } from './sheet.ts';
import { numberFormatsOf } from './sheet-numbers.ts';
import { writeTable } from './table.ts';
import { findAll, findFirst, scanXml } from './xml.ts';
import { openArchive, type Archive } from './zip.ts';

const WORKBOOK = 'xl/workbook.xml';

/**
 * Every sheet under its name, its rows as a table with numbers and dates as displayed. Formulas are replaced by their
 * last result. Hidden sheets are left out: whoever shared the file didn't mean to show them.
 */
export function readXlsx(data: Uint8Array): Document {
  const archive = openArchive(data);
  const workbook = requiredPart(archive, WORKBOOK);
  const relations = relationsOf(archive, WORKBOOK);
  const related = (type: string) =>
    [...relations.values()].find((relation) => relation.type === type)?.target ?? '';
  const since1904 = /^(?:1|true)$/.test(findFirst(workbook, 'workbookPr')?.attributes['date1904'] ?? '');
  const book: Book = {
    strings: sharedStrings(archive, related('sharedStrings')),
    format: numberFormatsOf(archive.read(related('styles')), since1904),
    cellsLeft: TABLE_CELLS_MAX,
  };
  const sheets = findAll(workbook, 'sheet')
    .filter(({ attributes }) => (attributes['state'] ?? 'visible') === 'visible')
    .map((sheet) => {
      const name = relations.get(relationIdOf(sheet))?.target ?? '';
      const part = archive.read(name);
      const text = part ? writeTable(readRows(part, book, linksOf(archive, name))) : '';
      return text && `# ${sheet.attributes['name']?.trim() ?? ''}\n\n${text}`;
    })
    .filter((text) => text !== '');
  if (sheets.length === 0) throw new UnreadableError('This workbook has no text.');
  return { title: titleOf(archive), text: sheets.join('\n\n') };
}

/** Texts are stored once and referred to by number; the pronunciation of an East Asian text isn't part of it. */
function sharedStrings(archive: Archive, part: string): string[] {
  const data = archive.read(part);
  const strings: string[] = [];
  if (!data) return strings;
  let pieces: string[] = [];
  let isText = false;
  let isPhonetic = false;
  scanXml(data, {
    open: (name) => {
      if (name === 'si') pieces = [];
      if (name === 'rPh') isPhonetic = true;
      isText = name === 't' && !isPhonetic;
    },
    text: (text) => {
      if (isText) pieces.push(text);
    },
    close: (name) => {
      isText = false;
      if (name === 'rPh') isPhonetic = false;
      if (name === 'si') strings.push(pieces.join(''));
    },
  });
  return strings;
}
