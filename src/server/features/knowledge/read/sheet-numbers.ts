import { format, getFormatDateInfo, getFormatFromId } from 'numfmt';
import { childrenOf, findAll, findFirst, xmlTree } from './xml.ts';

/** A cell's number as displayed in its style. */
export type FormatNumber = (value: number, style: number) => string;

/** No spreadsheet program accepts longer patterns. */
const PATTERN_MAX_CHARACTERS = 255;
/** A workbook that counts from 1904 has dates lower by this many days. */
const DAYS_FROM_1900_TO_1904 = 1462;
const GENERAL = 'General';

/**
 * How a workbook's styles display numbers. A numeric date becomes 2024-03-01, whatever order the style uses: out of
 * context, a reader of 01/03/2024 can't know which order it is.
 */
export function numberFormatsOf(styles: Uint8Array | undefined, since1904: boolean): FormatNumber {
  const patterns = styles ? patternsOf(styles) : [];
  const dates = new Map<string, boolean>();
  return (value, style) => {
    const given = patterns[style] ?? GENERAL;
    if (!Number.isFinite(value)) return '';
    // Programs shorten these to fit the cell, but they are article and account numbers, and are searched by every
    // digit.
    if (given === GENERAL && Number.isSafeInteger(value)) return String(value);
    const isDate = dates.get(given) ?? countsDays(given);
    dates.set(given, isDate);
    const shown = isDate && since1904 ? value + DAYS_FROM_1900_TO_1904 : value;
    try {
      return format(isDate ? unmistakable(given) : given, shown).trim();
    } catch {
      return format(GENERAL, value);
    }
  };
}

/** Each style's pattern, by number. */
function patternsOf(styles: Uint8Array): string[] {
  const tree = xmlTree(styles);
  const own = new Map(
    findAll(tree, 'numFmt').map(({ attributes }) => [attributes['numFmtId'], attributes['formatCode'] ?? '']),
  );
  return childrenOf(findFirst(tree, 'cellXfs'), 'xf').map(({ attributes }) => {
    const id = attributes['numFmtId'] ?? '0';
    const pattern = own.get(id) ?? getFormatFromId(Number(id));
    return !pattern || pattern.length > PATTERN_MAX_CHARACTERS ? GENERAL : pattern;
  });
}

function countsDays(pattern: string): boolean {
  const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(pattern);
  return year || month || day || hours || minutes || seconds;
}

/** Month names and durations are already unambiguous. */
function unmistakable(pattern: string): string {
  const { year, month, day, hours, seconds } = getFormatDateInfo(pattern);
  if (!year || !month || !day || /mmm/i.test(pattern)) return pattern;
  if (!hours) return 'yyyy-mm-dd';
  return seconds ? 'yyyy-mm-dd hh:mm:ss' : 'yyyy-mm-dd hh:mm';
}
