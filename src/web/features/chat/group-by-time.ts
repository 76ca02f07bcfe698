import type { Conversation } from '../../../contract/chat.ts';

export type Group = 'chats.pinned' | 'chats.today' | 'chats.yesterday' | 'chats.week' | 'chats.older';

/** The non-empty groups, in order; the order within each is kept. Days follow the reader's clock. */
export function groupByTime(
  conversations: readonly Conversation[],
  now = new Date(),
): [Group, Conversation[]][] {
  const today = dayBefore(now, 0);
  const yesterday = dayBefore(now, 1);
  const week = dayBefore(now, 7);
  const groupOf = ({ pinned, updatedAt }: Conversation): Group => {
    if (pinned) return 'chats.pinned';
    const at = Date.parse(updatedAt);
    if (at >= today) return 'chats.today';
    if (at >= yesterday) return 'chats.yesterday';
    return at >= week ? 'chats.week' : 'chats.older';
  };
  const order = ['chats.pinned', 'chats.today', 'chats.yesterday', 'chats.week', 'chats.older'] as const;
  return order.flatMap((group): [Group, Conversation[]][] => {
    const members = conversations.filter((each) => groupOf(each) === group);
    return members.length > 0 ? [[group, members]] : [];
  });
}

/** The start of that day. Not every day has 24 hours. */
function dayBefore(now: Date, days: number): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).getTime();
}
