import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { InboxConversation } from '../../../contract/inbox.ts';
import { api } from '../../api.ts';
import { t } from '../../messages/t.ts';
import { useStore } from '../../store.ts';
import style from './inbox.module.css';
import { useInboxActs } from './use-inbox.ts';
import { online } from './use-presence.ts';

/** Who has it; choosing somebody else gives it to them. Who has the inbox open is said to be there. */
export function Assignee({ orgId, conversation }: { orgId: string; conversation: InboxConversation }) {
  const { assign } = useInboxActs(orgId, conversation.id);
  const { data: members = [] } = useQuery({
    queryKey: ['members', orgId],
    queryFn: async ({ signal }) => (await api.member.list({ orgId }, { signal })).members,
    meta: { failure: 'getMembers', quiet: true },
  });
  const { assignee } = conversation;
  const may = members.filter(({ role }) => role !== 'viewer');
  const there = new Set(useStore(online).map(({ id }) => id));
  const choices = may.map(({ userId, name }) => ({
    value: userId,
    label: there.has(userId) ? t('inbox.isOnline', { name }) : name,
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
