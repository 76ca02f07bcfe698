import { Button, Group, Stack } from '@mantine/core';
import { IconChecklist, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { testSet, type TestSet } from '../../../contract/test-set.ts';
import { useValidForm } from '../../forms/form.ts';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { testSetsQuery } from '../../queries/agent-queries.ts';
import { viewOf } from '../../queries/query-props.ts';
import { Searched } from '../../parts/searched.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { NameDialog } from '../../ui/name-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useMay } from '../../session/use-role.ts';
import { RunScore } from './run-score.tsx';
import style from './tests.module.css';
import { useAgentKey, useCreateSet } from './use-tests.ts';

const schema = testSet.create.input.pick({ name: true });

/** An agent's test sets. */
export function TestsScreen() {
  const sets = useQuery(testSetsQuery(useAgentKey()));
  return (
    <Stack>
      <p className={style['soft']}>{t('tests.lead')}</p>
      <QueryView {...viewOf(sets)}>{(found) => <TestSets sets={found} />}</QueryView>
    </Stack>
  );
}

function TestSets({ sets }: { sets: readonly TestSet[] }) {
  const { organizationId: orgId, id: agentId } = useAgentKey();
  const navigate = useNavigate();
  const mayWrite = useMay(orgId, 'agent.write');
  const [naming, setNaming] = useState(false);
  const create = useCreateSet((testSetId) =>
    navigate({
      to: '/platform/{-$orgId}/agent/$agentId/settings/tests/$testSetId',
      params: { orgId, agentId, testSetId },
    }),
  );
  const form = useValidForm({ initial: { name: '' }, schema, labels: { name: t('tests.name') } });
  const button = mayWrite && (
    <Button leftSection={<IconPlus size="1.15em" aria-hidden />} onClick={() => setNaming(true)}>
      {t('tests.create')}
    </Button>
  );
  return (
    <>
      {sets.length === 0 ? (
        <Notice
          icon={<IconChecklist size="1.25em" aria-hidden />}
          title={t('tests.none')}
          text={t('tests.noneText')}
          action={button}
        />
      ) : (
        <>
          <Group>{button}</Group>
          <SetsFound sets={sets} />
        </>
      )}
      <NameDialog
        opened={naming}
        title={t('tests.create')}
        label={t('tests.name')}
        input={form.getInputProps('name')}
        action={t('tests.create')}
        busy={create.isPending}
        onSubmit={form.onSubmit(({ name }) => create.mutate(name))}
        onClose={() => setNaming(false)}
      />
    </>
  );
}

function SetsFound({ sets }: { sets: readonly TestSet[] }) {
  return (
    <Searched
      items={sets}
      nameOf={({ name }) => name}
      label={t('tests.search')}
      none={{ title: t('tests.notFound'), text: t('tests.notFoundText') }}
    >
      {(found) => <SetsTable sets={found} />}
    </Searched>
  );
}

function SetsTable({ sets }: { sets: readonly TestSet[] }) {
  const { organizationId: orgId, id: agentId } = useAgentKey();
  return (
    <DataTable label={t('tests.title')} columns={[t('tests.name'), t('tests.questions'), t('tests.lastRun')]}>
      {sets.map(({ id, name, isGate, caseCount, lastRun }) => (
        <tr key={id}>
          <Cell kind="main">
            <Link
              to="/platform/{-$orgId}/agent/$agentId/settings/tests/$testSetId"
              params={{ orgId, agentId, testSetId: id }}
            >
              {name}
            </Link>{' '}
            {isGate && <Badge tone="accent">{t('tests.gateShort')}</Badge>}
          </Cell>
          <Cell kind="faint" label={t('tests.questions')}>
            {formatNumber(caseCount)}
          </Cell>
          <Cell kind="faint" label={t('tests.lastRun')}>
            {lastRun ? <RunScore run={lastRun} /> : t('tests.never')}
          </Cell>
        </tr>
      ))}
    </DataTable>
  );
}
