import { Button, Group, NativeSelect } from '@mantine/core';
import { IconTags } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Topic } from '../../../contract/improvement.ts';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { toast } from '../../toast.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Notice } from '../../ui/notice.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useMay } from '../../session/use-role.ts';
import style from './improvement.module.css';
import { TopicRow } from './topic-row.tsx';
import { topicsQuery, useChange } from './use-questions.ts';

const times = [7, 30, 90] as const;

/** What people ask about, with the share of each topic. */
export function Topics({ agentId }: { agentId: string }) {
  const [days, setDays] = useState<number>(30);
  const found = useQuery(topicsQuery(agentId, days));
  const mayWrite = useMay(useOrgId(), 'agent.write');
  return (
    <>
      <Group align="end">
        <NativeSelect
          label={t('improvement.days')}
          value={String(days)}
          data={times.map((each) => ({ value: String(each), label: t(`improvement.days.${each}`) }))}
          onChange={({ currentTarget: { value } }) => setDays(Number(value))}
        />
        {mayWrite && found.data?.topics.some(({ named, frozen }) => named !== 'member' && !frozen) && (
          <NameThem agentId={agentId} />
        )}
      </Group>
      <QueryView {...viewOf(found)}>
        {({ topics }) =>
          topics.length === 0 ? (
            <Notice
              icon={<IconTags size="1.25em" aria-hidden />}
              title={t('improvement.noTopics')}
              text={t('improvement.noTopicsText')}
            />
          ) : (
            <TopicsTable agentId={agentId} topics={topics} mayWrite={mayWrite} />
          )
        }
      </QueryView>
    </>
  );
}

function NameThem({ agentId }: { agentId: string }) {
  const name = useChange(
    agentId,
    () => laterApi.improvement.nameTopics({ id: agentId }),
    ({ named }) => toast.success({ title: t('improvement.topicsNamed#', { count: named }) }),
  );
  return (
    <Button variant="default" loading={name.isPending} onClick={() => name.mutate(undefined)}>
      {t('improvement.nameTopics')}
    </Button>
  );
}

interface TopicsTableProps {
  agentId: string;
  topics: readonly Topic[];
  mayWrite: boolean;
}

function TopicsTable({ agentId, topics, mayWrite }: TopicsTableProps) {
  const columns = ['topic', 'questions', 'share', 'unanswered'] as const;
  return (
    <>
      <p className={style['facts']}>
        {t('improvement.freezeHint')} {mayWrite && t('improvement.nameTopicsHint')}
      </p>
      <DataTable
        label={t('improvement.view.topics')}
        columns={columns.map((column) => t(`improvement.${column}`))}
        actions={t('improvement.acts')}
      >
        {topics.map((topic) => (
          <TopicRow
            key={topic.id}
            agentId={agentId}
            topic={topic}
            others={topics.filter(({ id }) => id !== topic.id)}
            mayWrite={mayWrite}
          />
        ))}
      </DataTable>
    </>
  );
}
