import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Knowledge } from '../../../contract/knowledge.ts';
import { t } from '../../messages/t.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { buttonClass } from '../../ui/button.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { ReplaceFileButton } from './replace-file.tsx';
import { useBackToList } from './use-add-knowledge.ts';
import { canReadAgain, useItemActs } from './use-item-acts.ts';
import { isUnderWay } from './use-live-knowledge.ts';
import { canReplaceFile } from './use-replace-file.ts';

/** The actions for the item on this page. */
export function ItemButtons({ agentId, item }: { agentId: string; item: Knowledge }) {
  const orgId = useOrgId();
  const backToList = useBackToList();
  const [asking, setAsking] = useState(false);
  const { readAgain } = useItemActs(agentId, item);
  return (
    <>
      {canReadAgain(item) && (
        <Button
          variant="default"
          leftSection={<IconRefresh size="1.15em" aria-hidden />}
          loading={readAgain.isPending}
          disabled={isUnderWay(item.progress.state)}
          onClick={() => readAgain.mutate()}
        >
          {t('knowledge.readAgain')}
        </Button>
      )}
      {canReplaceFile(item) && <ReplaceFileButton agentId={agentId} item={item} />}
      <Link
        to="/platform/{-$orgId}/agent/$agentId/knowledge/$knowledgeId/edit"
        params={{ orgId, agentId, knowledgeId: item.id }}
        className={buttonClass('plain')}
      >
        {t('knowledge.edit')}
      </Link>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('ui.delete')}
      </Button>
      <RemoveDialog
        agentId={agentId}
        item={item}
        opened={asking}
        onClose={() => setAsking(false)}
        onRemoved={() => void backToList()}
      />
    </>
  );
}
