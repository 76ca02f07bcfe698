import { NativeSelect } from '@mantine/core';
import type { Author } from '../../../contract/chat.ts';
import type { InboxConversation } from '../../../contract/inbox.ts';
import { t } from '../../messages/t.ts';
import { useStore } from '../../store.ts';
import style from './inbox.module.css';
import { useInboxActs } from './use-inbox.ts';
import { online } from './use-presence.ts';

interface AssigneeProps {
  orgId: string;
  conversation: InboxConversation;
  /** The members it can be assigned to. */
  helpers: readonly Author[];
}

/** The assignee; choosing another member reassigns it. Members with the inbox open are marked as present. */
export function Assignee({ orgId, conversation, helpers }: AssigneeProps) {
  const { assign } = useInboxActs(orgId, conversation.id);
  const { assignee } = conversation;
  const there = new Set(useStore(online).map(({ id }) => id));
  const choices = helpers.map(({ id, name }) => ({
    value: id,
    label: there.has(id) ? t('inbox.isOnline', { name }) : name,
  }));
  const isAmong = choices.some(({ value }) => value === assignee?.id);
  return (
    <NativeSelect
      className={style['assignee'] ?? ''}
      aria-label={t('inbox.assignee')}
      value={assignee?.id ?? ''}
      disabled={assign.isPending}
      data={isAmong || !assignee ? choices : [{ value: assignee.id, label: assignee.name }, ...choices]}
      onChange={({ currentTarget }) => assign.mutate(currentTarget.value)}
    />
  );
}
