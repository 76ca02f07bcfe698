import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListedKnowledge } from '../../../contract/knowledge.ts';
import { t } from '../../messages/t.ts';
import { titleOf } from './item-title.ts';
import { RemoveDialog } from './remove-dialog.tsx';
import { canReadAgain, useItemActs } from './use-item-acts.ts';
import { isUnderWay } from './use-live-knowledge.ts';

interface ItemMenuProps {
  item: ListedKnowledge;
  orgId: string;
  agentId: string;
}

/** The actions for an item in the list. */
export function ItemMenu({ item, orgId, agentId }: ItemMenuProps) {
  const [asking, setAsking] = useState(false);
  const { readAgain } = useItemActs(agentId, item);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('knowledge.actionsOf', { name: titleOf(item) })}
          >
            <IconDots size="1.15em" aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {canReadAgain(item) && (
            <Menu.Item
              leftSection={<IconRefresh size="1em" aria-hidden />}
              disabled={isUnderWay(item.progress.state)}
              onClick={() => readAgain.mutate()}
            >
              {t('knowledge.readAgain')}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconPencil size="1em" aria-hidden />}
            renderRoot={(props) => (
              <Link
                to="/platform/{-$orgId}/agent/$agentId/knowledge/$knowledgeId/edit"
                params={{ orgId, agentId, knowledgeId: item.id }}
                {...props}
              />
            )}
          >
            {t('knowledge.edit')}
          </Menu.Item>
          <Menu.Item
            color="danger"
            leftSection={<IconTrash size="1em" aria-hidden />}
            onClick={() => setAsking(true)}
          >
            {t('ui.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RemoveDialog agentId={agentId} item={item} opened={asking} onClose={() => setAsking(false)} />
    </>
  );
}
