import { IconDownload } from '@tabler/icons-react';
import type { Conversation } from '../../../contract/chat.ts';
import { t } from '../../messages/t.ts';
import type { SmallMenuItem } from '../../ui/small-menu.tsx';
import { exportConversation } from './export-conversation.ts';

export function exportItems({ id }: Conversation): SmallMenuItem[] {
  const icon = <IconDownload size="1.15em" aria-hidden />;
  return [
    { text: t('chats.exportMarkdown'), icon, run: () => void exportConversation(id, 'markdown') },
    { text: t('chats.exportJson'), icon, run: () => void exportConversation(id, 'json') },
  ];
}
