import { and, eq, gte, lte, sql, type SQL } from 'drizzle-orm';
import type { Sentiment } from '../../../contract/sentiments.ts';
import type { InboxConversation } from '../../../contract/inbox.ts';
import {
  conversation,
  conversationEstimate,
  entitlement,
  message,
  messageFeedback,
  purchase,
  question,
  user,
} from '../../db/schema/index.ts';
import { holdsAll, wordsOf } from '../../db/words.ts';

/** Which of an agent's conversations to include; see the contract. */
export interface ConversationFilters {
  search?: string | undefined;
  userId?: string | undefined;
  channel?: InboxConversation['channel'] | undefined;
  handling?: InboxConversation['handling'] | undefined;
  rating?: 'up' | 'down' | undefined;
  from?: string | undefined;
  to?: string | undefined;
  unanswered?: 'true' | undefined;
  confidenceBelow?: number | undefined;
  topicId?: string | undefined;
  language?: string | undefined;
  productId?: string | undefined;
  sentiment?: Sentiment | undefined;
  qualityAtMost?: number | undefined;
}

interface AgentKey {
  organizationId: string;
  agentId: string;
}

/** As conditions on `conversation`. */
export function conditionsOf(agent: AgentKey, filters: ConversationFilters): (SQL | undefined)[] {
  const { userId, channel, handling, rating, from, to, language, productId } = filters;
  return [
    filters.search ? holds(agent, filters.search) : undefined,
    userId === undefined ? undefined : eq(conversation.userId, userId),
    channel ? eq(conversation.channel, channel) : undefined,
    handling ? eq(conversation.handling, handling) : undefined,
    from ? gte(conversation.updatedAt, new Date(from)) : undefined,
    to ? lte(conversation.updatedAt, new Date(to)) : undefined,
    rating ? isRated(agent, rating) : undefined,
    language ? eq(conversation.language, language) : undefined,
    asksFor(agent, filters),
    productId ? usesProduct(agent, productId) : undefined,
    isEstimated(agent, filters),
  ];
}

/** The search words, in the title, the end user's name or one message. */
export function holds({ organizationId }: Pick<AgentKey, 'organizationId'>, search: string): SQL {
  const words = wordsOf(search);
  return sql`(${holdsAll(sql`${conversation.title}`, words)}
    or exists (select from ${user} u where u.id = ${conversation.userId} and ${holdsAll(sql`u.name`, words)})
    or exists (select from ${message} m where m.organization_id = ${organizationId} and m.conversation_id = ${conversation.id}
      and m.active and m.role in ('user', 'assistant', 'operator') and ${holdsAll(sql`m.text`, words)}))`;
}

const isRated = ({ organizationId }: AgentKey, rating: 'up' | 'down'): SQL =>
  sql`exists (select from ${message} m join ${messageFeedback} f on f.message_id = m.id and f.organization_id = m.organization_id
    where m.organization_id = ${organizationId} and m.conversation_id = ${conversation.id} and f.rating = ${rating})`;

/**
 * A single question that meets all conditions; filtered by agent, so that the plan can start from the questions if
 * there are few.
 */
function asksFor(
  { organizationId, agentId }: AgentKey,
  { unanswered, confidenceBelow, topicId }: ConversationFilters,
): SQL | undefined {
  const wanted = [
    unanswered && sql`q.why is not null`,
    confidenceBelow === undefined ? undefined : sql`q.confidence < ${confidenceBelow}`,
    topicId ? sql`q.topic_id = ${topicId}` : undefined,
  ].filter((condition) => condition !== undefined);
  if (wanted.length === 0) return undefined;
  return sql`exists (select from ${question} q where q.organization_id = ${organizationId} and q.agent_id = ${agentId}
    and q.conversation_id = ${conversation.id} and q.is_settled and ${and(...wanted)})`;
}

const usesProduct = ({ organizationId, agentId }: AgentKey, productId: string): SQL =>
  sql`exists (select from ${message} m join ${entitlement} e on e.id = m.entitlement_id and e.organization_id = m.organization_id
    join ${purchase} p on p.id = e.purchase_id and p.organization_id = e.organization_id
    where m.organization_id = ${organizationId} and m.conversation_id = ${conversation.id}
      and p.agent_id = ${agentId} and p.product_id = ${productId})`;

function isEstimated(
  { organizationId, agentId }: AgentKey,
  { sentiment, qualityAtMost }: ConversationFilters,
): SQL | undefined {
  if (sentiment === undefined && qualityAtMost === undefined) return undefined;
  const wanted = and(
    sentiment && sql`e.sentiment = ${sentiment}`,
    qualityAtMost === undefined ? undefined : sql`e.quality <= ${qualityAtMost}`,
  );
  return sql`exists (select from ${conversationEstimate} e where e.organization_id = ${organizationId}
    and e.agent_id = ${agentId} and e.conversation_id = ${conversation.id} and e.sentiment is not null and ${wanted})`;
}
