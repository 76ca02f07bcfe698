import type { Conversation } from '../../../contract/chat.ts';

export type Group = 'chats.pinned' | 'chats.today' | 'chats.yesterday' | 'chats.week' | 'chats.older';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The groups that have members, in their order; within each the order stays. Days are those of the reader's clock. */
export function groupByTime(
  conversations: readonly Conversation[],
  now = new Date(),
): [Group, Conversation[]][] {
  const today = new Date(now).setHours(0, 0, 0, 0);
  const groupOf = ({ pinned, updatedAt }: Conversation): Group => {
    if (pinned) return 'chats.pinned';
    const at = Date.parse(updatedAt);
    if (at >= today) return 'chats.today';
    if (at >= today - DAY_MS) return 'chats.yesterday';
    return at >= today - 7 * DAY_MS ? 'chats.week' : 'chats.older';
  };
  const order = ['chats.pinned', 'chats.today', 'chats.yesterday', 'chats.week', 'chats.older'] as const;
  return order.flatMap((group): [Group, Conversation[]][] => {
    const members = conversations.filter((each) => groupOf(each) === group);
    return members.length > 0 ? [[group, members]] : [];
  });
}
