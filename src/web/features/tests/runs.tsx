import { Button, Checkbox, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TestRun } from '../../../contract/test-set.ts';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../queries/query-props.ts';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Results } from './results.tsx';
import { RunScore } from './run-score.tsx';
import style from './tests.module.css';
import { runsQuery, useStopRun, type SetKey } from './use-tests.ts';

interface RunsProps {
  of: SetKey;
  mayWrite: boolean;
}

/** All runs of a set; shows the answers of one, or of two side by side. */
export function Runs({ of, mayWrite }: RunsProps) {
  const runs = useQuery(runsQuery(of));
  return (
    <Stack gap="sm">
      <h3>{t('tests.runs')}</h3>
      <QueryView {...viewOf(runs)}>
        {(found) =>
          found.length === 0 ? (
            <p className={style['soft']}>{t('tests.noRuns')}</p>
          ) : (
            <RunsTable of={of} runs={found} mayWrite={mayWrite} />
          )
        }
      </QueryView>
    </Stack>
  );
}

function RunsTable({ of, runs, mayWrite }: RunsProps & { runs: readonly TestRun[] }) {
  // The newest, until somebody selects.
  const [picked, setPicked] = useState<readonly string[] | null>(null);
  const shown = picked ?? runs.slice(0, 1).map(({ id }) => id);
  const toggle = (id: string) =>
    setPicked(shown.includes(id) ? shown.filter((each) => each !== id) : [...shown, id].slice(-2));
  const inOrder = runs.filter(({ id }) => shown.includes(id)).toReversed();
  return (
    <>
      <p className={style['soft']}>{t('tests.compareHint')}</p>
      <DataTable
        label={t('tests.runs')}
        columns={[t('tests.show'), t('tests.runOf'), t('tests.credits'), t('tests.when')]}
        actions={t('tests.actions')}
      >
        {runs.map((run) => (
          <RunRow
            key={run.id}
            of={of}
            run={run}
            mayWrite={mayWrite}
            isShown={shown.includes(run.id)}
            onToggle={() => toggle(run.id)}
          />
        ))}
      </DataTable>
      {inOrder.length > 0 && <Results of={of} runIds={inOrder.map(({ id }) => id)} />}
    </>
  );
}

interface RunRowProps extends RunsProps {
  run: TestRun;
  isShown: boolean;
  onToggle: () => void;
}

function RunRow({ of: { testSetId }, run, mayWrite, isShown, onToggle }: RunRowProps) {
  const stop = useStopRun();
  return (
    <tr>
      <Cell>
        <Checkbox
          aria-label={t('tests.compareRun', { version: run.version })}
          checked={isShown}
          onChange={onToggle}
        />
      </Cell>
      <Cell kind="main">
        <RunScore run={run} />
      </Cell>
      <Cell kind="faint" label={t('tests.credits')}>
        {formatNumber(run.credits)}
      </Cell>
      <Cell kind="faint">
        <TimeAgo at={run.createdAt} />
      </Cell>
      <Cell kind="actions">
        {mayWrite && run.state === 'running' && (
          <Button
            size="xs"
            variant="default"
            loading={stop.isPending}
            onClick={() => stop.mutate({ testSetId, runId: run.id })}
          >
            {t('tests.stop')}
          </Button>
        )}
      </Cell>
    </tr>
  );
}
