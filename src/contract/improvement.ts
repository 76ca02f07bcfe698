import * as z from 'zod';
import { name, nextCursor, page, Search, text, Timestamp } from './common.ts';
import { idOf } from './id.ts';
import {
  ANSWERS_DRAFTED_PER_HOUR_AND_ADDRESS,
  DISMISSAL_MAX_CHARACTERS,
  KNOWLEDGE_TEXT_MAX_CHARACTERS,
  MESSAGE_MAX_CHARACTERS,
  TOPIC_NAME_MAX_CHARACTERS,
} from './limits.ts';
import { route } from './route.ts';

/**
 * Why a question counts as unanswered. `refused`: the agent said that it has no answer. `weak`: its knowledge covers
 * little of the question, and the answer cites nothing. `disliked`: the answer was rated down. `handover`: the user
 * then asked for a person.
 */
export const unansweredReasons = ['refused', 'weak', 'disliked', 'handover'] as const;
export type UnansweredReason = (typeof unansweredReasons)[number];

export const clusterStates = ['open', 'answered', 'dismissed'] as const;
export type ClusterState = (typeof clusterStates)[number];

/** By its distinctive words, by a model, or by a member. */
export const topicNaming = ['words', 'model', 'member'] as const;

/** Questions that ask the same thing. */
export const QuestionCluster = z.object({
  id: idOf('questionCluster'),
  state: z.enum(clusterStates),
  /** The most typical question, or a member's rewording of it. */
  title: z.string(),
  /** Unanswered questions. */
  count: z.number().int(),
  firstAskedAt: Timestamp.nullable(),
  lastAskedAt: Timestamp.nullable(),
  /** ISO 639-1. */
  languages: z.array(z.string()),
  /** Why it was dismissed. */
  reason: z.string(),
  /** The approved answer; null for open or dismissed clusters. */
  answer: z
    .object({
      /** Null if the pair was removed. */
      knowledgeId: idOf('knowledge').nullable(),
      approvedAt: Timestamp,
      /** How often it has been asked since, and how often that was answered. */
      askedAgain: z.number().int(),
      answeredAgain: z.number().int(),
    })
    .nullable(),
});
export type QuestionCluster = z.infer<typeof QuestionCluster>;

export const AskedQuestion = z.object({
  messageId: idOf('message'),
  conversationId: idOf('conversation'),
  text: z.string(),
  askedAt: Timestamp,
  language: z.string(),
  why: z.enum(unansweredReasons).nullable(),
  /** The share of the question that the agent's knowledge covered, 0 to 1; null if nothing was searched. */
  confidence: z.number().nullable(),
});
export type AskedQuestion = z.infer<typeof AskedQuestion>;

export const NearPassage = z.object({
  chunkId: idOf('chunk'),
  sourceId: idOf('source'),
  knowledgeId: idOf('knowledge'),
  title: z.string(),
  text: z.string(),
});
export type NearPassage = z.infer<typeof NearPassage>;

export const Topic = z.object({
  id: idOf('topic'),
  name: z.string(),
  named: z.enum(topicNaming),
  frozen: z.boolean(),
  count: z.number().int(),
  unanswered: z.number().int(),
  /** Share of all questions in the period, 0 to 1. */
  share: z.number(),
});
export type Topic = z.infer<typeof Topic>;

const ofAgent = z.strictObject({ id: idOf('agent') });
const ofCluster = ofAgent.extend({ clusterId: idOf('questionCluster') });
const ofTopic = ofAgent.extend({ topicId: idOf('topic') });
const OneCluster = z.object({ cluster: QuestionCluster });

/**
 * What people ask an agent, what it couldn't answer, and how it learns to. Temporary conversations, those in which
 * members try it, and tests don't count. A new question appears within a minute or so.
 */
export const improvement = {
  /** Most asked first. */
  listClusters: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/question-cluster',
    summary: "An agent's unanswered questions",
    input: ofAgent.extend({
      cursor: page.cursor,
      count: page.count,
      state: z.enum(clusterStates).default('open'),
      /** In the title, or in one of the questions. */
      search: Search,
    }),
    output: z.object({ clusters: z.array(QuestionCluster), nextCursor }),
  }),
  /** With its most typical questions, and the closest items in the agent's knowledge. */
  getCluster: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/question-cluster/{clusterId}',
    summary: 'Read an unanswered question',
    input: ofCluster,
    output: OneCluster.extend({ samples: z.array(AskedQuestion), passages: z.array(NearPassage) }),
  }),
  /**
   * A draft answer: written by the agent's own model from the closest passages, for one credit, or, without a model,
   * the best passage unchanged. Empty if nothing is close. Not stored.
   */
  draftAnswer: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/question-cluster/{clusterId}/draft',
    summary: 'Draft an answer',
    limit: { requests: ANSWERS_DRAFTED_PER_HOUR_AND_ADDRESS, seconds: 3600 },
    input: ofCluster,
    output: z.object({ answer: z.string(), by: z.enum(['model', 'passage', 'nobody']) }),
  }),
  /** Turns the question and answer into a pair in the agent's knowledge, with a test. */
  approveAnswer: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/question-cluster/{clusterId}/approve',
    summary: 'Approve an answer',
    input: ofCluster.extend({
      question: name(MESSAGE_MAX_CHARACTERS),
      answer: name(KNOWLEDGE_TEXT_MAX_CHARACTERS),
    }),
    output: OneCluster,
  }),
  dismissCluster: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/question-cluster/{clusterId}/dismiss',
    summary: 'Dismiss an unanswered question',
    input: ofCluster.extend({ reason: text(DISMISSAL_MAX_CHARACTERS).trim().default('') }),
    output: OneCluster,
  }),
  /** An approved answer stays in the knowledge; approving again changes it. */
  reopenCluster: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/question-cluster/{clusterId}/reopen',
    summary: 'Reopen a question',
    input: ofCluster,
    output: OneCluster,
  }),
  /** Largest first. `questions`: all in the period, including those without a topic. */
  listTopics: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/topic',
    summary: "An agent's topics",
    input: ofAgent.extend({ days: z.coerce.number<number>().int().min(1).max(365).default(30) }),
    output: z.object({ topics: z.array(Topic), questions: z.number().int() }),
  }),
  /** A given name is never changed automatically. */
  updateTopic: route({
    method: 'PUT',
    path: '/v1/chatbot/{id}/topic/{topicId}',
    summary: 'Rename or freeze a topic',
    input: ofTopic.extend({
      name: name(TOPIC_NAME_MAX_CHARACTERS).optional(),
      frozen: z.boolean().optional(),
    }),
    output: z.object({ updated: z.literal(true) }),
  }),
  /** All questions of one topic become questions of the other. */
  mergeTopic: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/topic/{topicId}/merge',
    summary: 'Merge a topic into another',
    input: ofTopic.extend({ intoId: idOf('topic') }),
    output: z.object({ merged: z.literal(true) }),
  }),
  /** Named by the agent's own model, for one credit; names given by members, and those of frozen topics, stay. */
  nameTopics: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/topic/names',
    summary: 'Name topics with a model',
    limit: { requests: ANSWERS_DRAFTED_PER_HOUR_AND_ADDRESS, seconds: 3600 },
    input: ofAgent,
    output: z.object({ named: z.number().int() }),
  }),
};
