import type { Expectation, Failure, CitedSource } from '../../../contract/test-set.ts';

export interface Judged {
  text: string;
  cited: CitedSource[];
  /** The agent said that it has no answer. */
  isRefusal: boolean;
  seconds: number;
  credits: number;
}

/** The expectations that an answer does not meet. */
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
  }
}

function holds(text: string, wanted: string): boolean {
  return comparable(text).includes(comparable(wanted));
}

/** Without regard to case, accents and spacing. */
function comparable(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();
}
