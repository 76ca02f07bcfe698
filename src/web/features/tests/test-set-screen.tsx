import { Button, Group, Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { TestSet } from '../../../contract/test-set.ts';
import { laterApi } from '../../api/later-api.ts';
import { download } from '../../download.ts';
import { t } from '../../messages/t.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { testSetQuery } from '../../queries/agent-queries.ts';
import { pageOf } from '../../queries/query-props.ts';
import { toast } from '../../toast.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Section } from '../../ui/section.tsx';
import { useMay } from '../../session/use-role.ts';
import { Cases } from './cases.tsx';
import { Runs } from './runs.tsx';
import { textOfFile } from './text-of-file.ts';
import {
  runsQuery,
  useAgentKey,
  useImportCsv,
  useRemoveSet,
  useRun,
  useUpdateSet,
  type SetKey,
} from './use-tests.ts';

/** A test set's questions, and the results of its runs. */
export function TestSetScreen() {
  const { testSetId } = useParams({
    from: '/platform/{-$orgId}/agent/$agentId/settings/tests/$testSetId',
  });
  const key = { ...useAgentKey(), testSetId };
  const found = useQuery(testSetQuery(key));
  const mayWrite = useMay(key.organizationId, 'agent.write');
  return (
    <QueryView {...pageOf(found)}>
      {({ testSet, cases }) => (
        <Stack gap="lg">
          <h2>{testSet.name}</h2>
          <Acts of={key} testSet={testSet} mayWrite={mayWrite} />
          <Cases of={key} cases={cases} mayWrite={mayWrite} />
          <Runs of={key} mayWrite={mayWrite} />
          {mayWrite && <Condition of={key} testSet={testSet} />}
          {mayWrite && <Removal of={key} testSet={testSet} />}
        </Stack>
      )}
    </QueryView>
  );
}

interface PartProps {
  of: SetKey;
  testSet: TestSet;
}

function Acts({ of, testSet, mayWrite }: PartProps & { mayWrite: boolean }) {
  const run = useRun(() => toast.success({ title: t('tests.started') }));
  const { data: runs = [] } = useQuery(runsQuery(of));
  const bring = useImportCsv(() => toast.success({ title: t('tests.imported') }));
  const { testSetId } = of;
  const save = () =>
    laterApi.testSet.exportCsv(of).then(
      ({ csv }) => download({ name: `${testSet.name}.csv`, type: 'text/csv', content: csv }),
      (error: unknown) => announceFailure(error, { failure: 'getTests' }),
    );
  return (
    <Group>
      {mayWrite && (
        <Button
          loading={run.isPending}
          disabled={testSet.caseCount === 0 || runs.some(({ state }) => state === 'running')}
          onClick={() => run.mutate({ testSetId })}
        >
          {t('tests.run')}
        </Button>
      )}
      {mayWrite && (
        <FileButton
          accept=".csv,text/csv"
          onChange={(file) => file && void textOfFile(file).then((csv) => bring.mutate({ testSetId, csv }))}
        >
          {(props) => (
            <Button variant="default" loading={bring.isPending} {...props}>
              {t('tests.importCsv')}
            </Button>
          )}
        </FileButton>
      )}
      <Button variant="default" disabled={testSet.caseCount === 0} onClick={() => void save()}>
        {t('tests.exportCsv')}
      </Button>
    </Group>
  );
}

function useIsLocked({ organizationId }: SetKey, { isGate }: TestSet): boolean {
  const mayOwn = useMay(organizationId, 'organization.own');
  return isGate && !mayOwn;
}

/** Whether it is required for publishing. */
function Condition({ of, testSet }: PartProps) {
  const { testSetId } = of;
  const update = useUpdateSet();
  return (
    <Section title={t('tests.gate')} lead={t('tests.gateHint')}>
      <Switch
        label={t('tests.gate')}
        disabled={useIsLocked(of, testSet)}
        checked={update.isPending ? update.variables.isGate : testSet.isGate}
        onChange={({ currentTarget }) => update.mutate({ testSetId, isGate: currentTarget.checked })}
      />
    </Section>
  );
}

function Removal({ of, testSet }: PartProps) {
  const { organizationId: orgId, id: agentId, testSetId } = of;
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const remove = useRemoveSet(() =>
    navigate({ to: '/platform/{-$orgId}/agent/$agentId/settings/tests', params: { orgId, agentId } }),
  );
  return (
    <div>
      <Button
        variant="default"
        color="gray"
        disabled={useIsLocked(of, testSet)}
        onClick={() => setAsking(true)}
      >
        {t('tests.delete')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('tests.delete')}
        text={t('tests.deleteText')}
        action={t('ui.delete')}
        typedName={testSet.name}
        busy={remove.isPending}
        onConfirm={() => remove.mutate(testSetId)}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
