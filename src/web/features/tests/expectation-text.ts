import {
  valueOfExpectation,
  type Expectation,
  type ExpectationKind,
  type Failure,
} from '../../../contract/test-set.ts';
import { t } from '../../messages/t.ts';

export const expectationKinds = [
  'contains',
  'not-contains',
  'cites',
  'refuses',
  'max-seconds',
  'max-credits',
  'calls-tool',
] as const satisfies ExpectationKind[];

export function inWords(expectation: Expectation): string {
  const value = valueOfExpectation(expectation);
  const kind = t(`tests.kind.${expectation.kind}`);
  return value === '' ? kind : `${kind}: ${value}`;
}

export function failureInWords({ kind, detail }: Failure): string {
  return t(`tests.why.${kind}`, { detail });
}
