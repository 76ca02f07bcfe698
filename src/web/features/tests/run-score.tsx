import type { TestRun } from '../../../contract/test-set.ts';
import { t } from '../../messages/t.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';

/** A run's outcome, or its progress. */
export function RunScore({ run }: { run: TestRun }) {
  const { state, passed, failed, total, version, isCurrent } = run;
  const tone: Tone = state !== 'done' ? 'neutral' : passed === total ? 'good' : 'bad';
  const said =
    state === 'running'
      ? t('tests.running', { done: passed + failed, total })
      : t('tests.score', { passed, total });
  return (
    <>
      <Badge tone={tone}>{said}</Badge> {t('tests.onVersion', { version })}
      {state === 'stopped' && ` · ${t('tests.stopped')}`}
      {!isCurrent && ` · ${t('tests.outdated')}`}
    </>
  );
}
