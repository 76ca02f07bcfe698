import { PAGE_BREAK } from '../index/chunk.ts';
import { UnreadableError, type Document } from './document.ts';
import { SLIDES_MAX } from './limits.ts';
import { linksOf, relationIdOf, relationsOf, requiredPart, titleOf, type Relation } from './office.ts';
import { nameLinks } from './pptx-links.ts';
import { writeTable } from './table.ts';
import { childrenOf, elementsOf, findAll, findFirst, textOf, xmlTree, type XmlElement } from './xml.ts';
import { openArchive, type Archive } from './zip.ts';

const PRESENTATION = 'ppt/presentation.xml';
const titles = new Set(['title', 'ctrTitle']);
/** Identical on every slide, or without content. */
const furniture = new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg']);

/**
 * Slide by slide: each is a page under its title, with its lists, tables, text in drawings, and speaker notes. Pictures
 * stay packed. Hidden slides are left out, but keep their page number.
 */
export function readPptx(data: Uint8Array): Document {
  const archive = openArchive(data);
  const slides = slidesOf(archive).map((part, index) => readSlide(archive, part, index + 1));
  const text = slides.map((slide) => slide?.text ?? '').join(`\n\n${PAGE_BREAK}`);
  if (!slides.some((slide) => slide?.hasWords)) throw new UnreadableError('This presentation has no text.');
  return { title: titleOf(archive) ?? slides.find((slide) => slide?.title)?.title ?? null, text };
}

/** The slides' parts in display order. */
function slidesOf(archive: Archive): string[] {
  const relations = relationsOf(archive, PRESENTATION);
  const slides = findAll(requiredPart(archive, PRESENTATION), 'sldId').map(
    (slide) => relations.get(relationIdOf(slide))?.target ?? '',
  );
  if (slides.length > SLIDES_MAX)
    throw new UnreadableError(
      `This presentation has more than ${SLIDES_MAX} slides. Split it and add the parts.`,
    );
  return slides;
}

interface Slide {
  title: string;
  text: string;
  hasWords: boolean;
}

/** Undefined for a slide that is missing or hidden. */
function readSlide(archive: Archive, part: string, number: number): Slide | undefined {
  const data = archive.read(part);
  const slide = data && findFirst(xmlTree(data), 'sld');
  if (!slide || slide.attributes['show'] === '0') return undefined;
  nameLinks(slide, linksOf(archive, part));
  const shapes = shapesOf(findFirst(slide, 'spTree'));
  const title = shapes.filter(isTitle).map(plainText).join(' ').trim();
  const relations = [...relationsOf(archive, part).values()];
  const said = [
    ...shapes.filter((shape) => !isTitle(shape)).map(shapeText),
    ...partsOf(archive, relations, 'diagramData').map(bodyText),
    notesText(archive, relations),
  ].filter((text) => text !== '');
  // Without its own heading, a slide would fall under the previous slide's.
  const text = [`# ${title || `Slide ${number}`}`, ...said].join('\n\n');
  return { title, text, hasWords: title !== '' || said.length > 0 };
}

function notesText(archive: Archive, relations: Relation[]): string {
  const shapes = partsOf(archive, relations, 'notesSlide').flatMap((notes) =>
    shapesOf(findFirst(notes, 'spTree')),
  );
  const text = shapes.map(bodyText).join('\n').trim();
  return text && `## Notes\n\n${text}`;
}

function partsOf(archive: Archive, relations: Relation[], type: string): XmlElement[] {
  return relations.flatMap((relation) => {
    const data = relation.type === type ? archive.read(relation.target) : undefined;
    return data ? [xmlTree(data)] : [];
  });
}

/** Shapes and frames, including those in groups; of alternatives only the newer one, since both say the same. */
function shapesOf(tree: XmlElement | undefined): XmlElement[] {
  return elementsOf(tree).flatMap((element) => {
    switch (element.name) {
      case 'sp':
      case 'graphicFrame':
        return furniture.has(placeholderOf(element) ?? '') ? [] : [element];
      case 'grpSp':
      case 'AlternateContent':
      case 'Choice':
        return shapesOf(element);
      default:
        return [];
    }
  });
}

function shapeText(shape: XmlElement): string {
  const tables = findAll(shape, 'tbl');
  if (tables.length > 0) return tables.map(tableText).join('\n\n');
  return placeholderOf(shape) === undefined ? bodyText(shape) : listText(shape);
}

function tableText(table: XmlElement): string {
  return writeTable(
    childrenOf(table, 'tr').map((row) => childrenOf(row, 'tc').map((cell) => plainText(cell))),
  );
}

/** A slide's main text is a list, nested as deeply as its paragraphs are indented. */
function listText(shape: XmlElement): string {
  const lines = findAll(shape, 'p').map((paragraph) => {
    const level = Math.min(8, Number(findFirst(paragraph, 'pPr')?.attributes['lvl']) || 0);
    return { text: paragraphText(paragraph), indent: '  '.repeat(level) };
  });
  const said = lines.filter(({ text }) => text !== '');
  if (said.length === 1) return said[0]?.text ?? '';
  return said.map(({ text, indent }) => `${indent}- ${text}`).join('\n');
}

function bodyText(shape: XmlElement): string {
  return findAll(shape, 'p')
    .map(paragraphText)
    .filter((text) => text !== '')
    .join('\n');
}

function plainText(shape: XmlElement): string {
  return bodyText(shape).replaceAll('\n', ' ');
}

function paragraphText(paragraph: XmlElement): string {
  return elementsOf(paragraph)
    .map((part) => (part.name === 'br' ? ' ' : textOf(findFirst(part, 't'))))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

function isTitle(shape: XmlElement): boolean {
  return titles.has(placeholderOf(shape) ?? '');
}

/** The shape's purpose in the layout; undefined for a freely drawn one. */
function placeholderOf(shape: XmlElement): string | undefined {
  const properties = elementsOf(shape).find(({ name }) => name === 'nvSpPr' || name === 'nvGraphicFramePr');
  const placeholder = findFirst(properties, 'ph');
  return placeholder && (placeholder.attributes['type'] ?? 'body');
}
