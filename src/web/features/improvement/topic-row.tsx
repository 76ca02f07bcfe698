import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Topic } from '../../../contract/improvement.ts';
import { laterApi } from '../../api/later-api.ts';
import { formatNumber, formatShare } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { Badge } from '../../ui/badge.tsx';
import { Cell } from '../../ui/data-table.tsx';
import { MergeDialog, RenameDialog } from './topic-dialogs.tsx';
import { useChange } from './use-questions.ts';

interface TopicRowProps {
  agentId: string;
  topic: Topic;
  others: readonly Topic[];
  mayWrite: boolean;
}

export function TopicRow({ agentId, topic, others, mayWrite }: TopicRowProps) {
  const { id, name, named, frozen, count, share, unanswered } = topic;
  const orgId = useOrgId();
  return (
    <tr>
      <Cell kind="main">
        <Link
          to="/platform/{-$orgId}/agent/$agentId/conversations"
          params={{ orgId, agentId }}
          search={{ topicId: id }}
        >
          {name}
        </Link>{' '}
        {named === 'model' && <Badge>{t('improvement.named.model')}</Badge>}
        {frozen && <Badge tone="accent">{t('improvement.frozen')}</Badge>}
      </Cell>
      <Cell label={t('improvement.questions')}>{formatNumber(count)}</Cell>
      <Cell label={t('improvement.share')}>{formatShare(share)}</Cell>
      <Cell label={t('improvement.unanswered')}>{formatNumber(unanswered)}</Cell>
      <Cell kind="actions">{mayWrite && <Acts agentId={agentId} topic={topic} others={others} />}</Cell>
    </tr>
  );
}

function Acts({ agentId, topic, others }: Omit<TopicRowProps, 'mayWrite'>) {
  const [asking, setAsking] = useState<'rename' | 'merge' | null>(null);
  const freeze = useChange(agentId, () =>
    laterApi.improvement.updateTopic({ id: agentId, topicId: topic.id, frozen: !topic.frozen }),
  );
  const label = (act: string) => `${act}: ${topic.name}`;
  const dialog = { agentId, topic, onClose: () => setAsking(null) };
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button
        size="xs"
        variant="default"
        aria-label={label(t('improvement.rename'))}
        onClick={() => setAsking('rename')}
      >
        {t('improvement.rename')}
      </Button>
      {others.length > 0 && (
        <Button
          size="xs"
          variant="default"
          aria-label={label(t('improvement.merge'))}
          onClick={() => setAsking('merge')}
        >
          {t('improvement.merge')}
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        aria-label={label(t(topic.frozen ? 'improvement.unfreeze' : 'improvement.freeze'))}
        loading={freeze.isPending}
        onClick={() => freeze.mutate(undefined)}
      >
        {t(topic.frozen ? 'improvement.unfreeze' : 'improvement.freeze')}
      </Button>
      {asking === 'rename' && <RenameDialog {...dialog} />}
      {asking === 'merge' && <MergeDialog {...dialog} others={others} />}
    </Group>
  );
}
