import {
  valueOfExpectation,
  type CitedSource,
  type Expectation,
  type Failure,
} from '../../../contract/test-set.ts';

export interface Judged {
  text: string;
  cited: CitedSource[];
  /** The agent said that it has no answer. */
  isRefusal: boolean;
  seconds: number;
  credits: number;
  /** The tools it called, or wanted to call. */
  calls: { operationId: string; arguments: Record<string, unknown> }[];
}

/** The expectations an answer doesn't meet. */
export function judge(expectations: Expectation[], answer: Judged): Failure[] {
  return expectations.flatMap((expectation) => failureOf(expectation, answer) ?? []);
}

function failureOf(expected: Expectation, answer: Judged): Failure | undefined {
  const failed = (isFailed: boolean, detail: string) =>
    isFailed ? { kind: expected.kind, detail } : undefined;
  switch (expected.kind) {
    case 'contains':
      return failed(!holds(answer.text, expected.text), expected.text);
    case 'not-contains':
      return failed(holds(answer.text, expected.text), expected.text);
    case 'cites':
      return failed(
        !answer.cited.some(({ title, url }) => holds(`${title} ${url ?? ''}`, expected.text)),
        expected.text,
      );
    case 'refuses':
      return failed(!answer.isRefusal, '');
    case 'max-seconds':
      return failed(answer.seconds > expected.seconds, String(answer.seconds));
    case 'max-credits':
      return failed(answer.credits > expected.credits, String(answer.credits));
    case 'calls-tool':
      return failed(
        !answer.calls.some(
          (call) => call.operationId === expected.operation && holdsAll(call.arguments, expected.arguments),
        ),
        valueOfExpectation(expected),
      );
  }
}

/** Whether the wanted value is contained in the given one, which may have further fields at any level. */
function holdsAll(given: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return given === wanted;
  if (typeof given !== 'object' || given === null || Array.isArray(wanted) !== Array.isArray(given))
    return false;
  return Object.entries(wanted).every(
    ([name, value]) =>
      Object.hasOwn(given, name) && holdsAll((given as Record<string, unknown>)[name], value),
  );
}

/** As it is written, in Markdown, or as it is read. */
function holds(text: string, wanted: string): boolean {
  return [text, shown(text)].some((each) => comparable(each).includes(comparable(wanted)));
}

/** Without the addresses of links, the numbers of citations and the marks of emphasis and code. */
function shown(markdown: string): string {
  return markdown
    .replace(/\[([^[\]\n]*)\]\([^()[\s]*\)/g, '$1')
    .replace(/ ?\[\d{1,3}\]/g, '')
    .replace(/[*`]/g, '');
}

/** Normalized: ignores case, accents, spacing, and how quotation marks and hyphens are shaped. */
function comparable(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[‘’]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/[‐–]/g, '-')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
}
