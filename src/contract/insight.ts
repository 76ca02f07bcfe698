import * as z from 'zod';
import { Download, name, text, Timestamp, TimeZone } from './common.ts';
import { idOf } from './id.ts';
import { insightPeriods, reportPaces } from './insight-periods.ts';
import {
  INSIGHT_LINK_MAX_DAYS,
  INSIGHT_LINK_NAME_MAX_CHARACTERS,
  INSIGHT_LINK_READS_PER_MINUTE_AND_ADDRESS,
} from './limits.ts';
import { pluginTypes } from './plugin-names.ts';
import { route } from './route.ts';

/** `page`: on one of our pages or through a program. `site`: in the widget on another site. */
export const insightChannels = ['page', 'site', ...pluginTypes] as const;

const whole = z.number().int();
/** Median and 95th percentile over answers, in milliseconds; null without answers. Computed from aggregates: approximate. */
const Latency = z.object({ p50: whole.nullable(), p95: whole.nullable() });

/** For the period's conversations that a model has assessed; it may be wrong. */
export const EstimatedSums = z.object({
  conversations: whole,
  positive: whole,
  neutral: whole,
  negative: whole,
  answered: whole,
  grounded: whole,
  /** Average, 1 to 5; null if none was assessed. */
  quality: z.number().nullable(),
});
export type EstimatedSums = z.infer<typeof EstimatedSums>;

/** Totals for a period. */
export const InsightSums = z.object({
  /** Started in the period. */
  conversations: whole,
  /** Written by end users, including on branches no longer shown. */
  messages: whole,
  /** People who wrote something. */
  people: whole,
  answered: whole,
  /** Answers saying that the agent has no answer. */
  unanswered: whole,
  failed: whole,
  /** Answered out of everything that ended in an answer or a failure, 0 to 1; null if nothing did. */
  answerRate: z.number().nullable(),
  ratedUp: whole,
  ratedDown: whole,
  /** How often a person was asked for, and the median wait of those who were answered. */
  handovers: whole,
  waitSeconds: whole.nullable(),
  inputTokens: whole,
  outputTokens: whole,
  credits: whole,
  /** What providers charged for answers, in US dollars as decimals: where known, at the prices at the time. */
  costUsd: z.string(),
  /** For how many answers, including failed and stopped ones, the cost is known, and for how many it isn't. */
  priced: whole,
  unpriced: whole,
  firstToken: Latency,
  total: Latency,
  estimated: EstimatedSums,
});
export type InsightSums = z.infer<typeof InsightSums>;

const Period = {
  period: z.enum(insightPeriods),
  timeZone: z.string(),
  from: Timestamp,
  until: Timestamp,
};

/** One point of a chart: an hour or a day. */
export const InsightPoint = z.object({
  at: Timestamp,
  conversations: whole,
  messages: whole,
  answered: whole,
  unanswered: whole,
  failed: whole,
  /** Conversations by their estimated sentiment. */
  estimatedPositive: whole,
  estimatedNeutral: whole,
  estimatedNegative: whole,
  costUsd: z.string(),
});
export type InsightPoint = z.infer<typeof InsightPoint>;

/** Money by currency, in its smallest unit: currencies are never added up. Refunds are subtracted. */
const Revenue = z.array(z.object({ currency: z.string(), paid: whole, paidBefore: whole }));

/** What happened in a period, next to the period of the same length before it. */
export const Insight = z.object({
  ...Period,
  now: InsightSums,
  before: InsightSums,
  series: z.array(InsightPoint),
  /** Conversations started, most first. */
  channels: z.array(z.object({ channel: z.enum(insightChannels), conversations: whole })),
  /** ISO 3166-1 alpha-2; null: unknown. */
  countries: z.array(z.object({ country: z.string().nullable(), conversations: whole })),
  /** ISO 639-1, detected from what end users wrote; null: undetermined, or not analyzed yet. */
  languages: z.array(z.object({ language: z.string().nullable(), conversations: whole })),
  /** The top knowledge items by how many answers cite them, most first. */
  sources: z.array(z.object({ knowledgeId: idOf('knowledge'), title: z.string(), answers: whole })),
  /** Messages by hour of the week in the viewer's time zone; Monday is 1. Empty hours are left out. */
  hours: z.array(z.object({ weekday: whole, hour: whole, messages: whole })),
  revenue: Revenue,
});
export type Insight = z.infer<typeof Insight>;

/** The same for one end user, without the chart's points. */
export const UserInsight = Insight.omit({ series: true });

/** What a member did in the inbox. */
export const MemberInsight = z.object({
  userId: idOf('user'),
  name: z.string(),
  profilePhoto: z.string(),
  answers: whole,
  takeovers: whole,
  /** The median wait of the end users they took over; null: not known for any. */
  waitSeconds: whole.nullable(),
});
export type MemberInsight = z.infer<typeof MemberInsight>;

/** For the agents the viewer can see, most asked first. */
export const OrganizationInsight = Insight.extend({
  agents: z.array(z.object({ id: idOf('agent'), name: z.string(), now: InsightSums, before: InsightSums })),
  members: z.array(MemberInsight),
});
export type OrganizationInsight = z.infer<typeof OrganizationInsight>;

const chosen = { period: z.enum(insightPeriods).default('7d'), timeZone: TimeZone.default('UTC') };
const ofAgent = z.strictObject({ agentId: idOf('agent'), ...chosen });
const ofUser = ofAgent.extend({ userId: idOf('user') });
const ofOrganization = z.strictObject({ organizationId: idOf('organization'), ...chosen });
/** An email with the numbers of the agents its reader can see. */
export const InsightReport = z.object({
  /** Null: none. */
  every: z.enum(reportPaces).nullable(),
});

const ofReport = z.strictObject({ organizationId: idOf('organization') });
const csv = { method: 'GET', produces: 'text/csv', output: Download } as const;

/** Temporary and deleted conversations, and those in which members try an agent, do not count. */
export const insight = {
  get: route({
    method: 'GET',
    path: '/v1/insight/{agentId}',
    summary: "An agent's insights",
    input: ofAgent,
    output: z.object({ insight: Insight }),
  }),
  getUser: route({
    method: 'GET',
    path: '/v1/insight/{agentId}/user/{userId}',
    summary: "An end user's insights",
    input: ofUser,
    output: z.object({ insight: UserInsight }),
  }),
  getOrganization: route({
    method: 'GET',
    path: '/v1/insight/organization/{organizationId}',
    summary: "An organization's insights",
    input: ofOrganization,
    output: z.object({ insight: OrganizationInsight }),
  }),
  /** One row per point of the chart. */
  export: route({
    ...csv,
    path: '/v1/insight/{agentId}/csv',
    summary: "Export an agent's insights",
    input: ofAgent,
  }),
  /** One row per agent, then one per member. */
  exportOrganization: route({
    ...csv,
    path: '/v1/insight/organization/{organizationId}/csv',
    summary: "Export an organization's insights",
    input: ofOrganization,
  }),
  /** The caller's own. Errors: 403 if the caller isn't a person. */
  getReport: route({
    method: 'GET',
    path: '/v1/insight/organization/{organizationId}/report',
    summary: 'Whether insights are sent by e-mail',
    input: ofReport,
    output: z.object({ report: InsightReport }),
  }),
  /** Errors: 409 `insight/no-address`. */
  setReport: route({
    method: 'PUT',
    path: '/v1/insight/organization/{organizationId}/report',
    summary: 'Turn insights by e-mail on or off',
    input: ofReport.extend({ every: InsightReport.shape.every, timeZone: chosen.timeZone }),
    output: z.object({ report: InsightReport }),
  }),
};

/** A link that lets anyone read some of an agent's numbers. */
export const InsightLink = z.object({
  id: idOf('insightLink'),
  name: z.string(),
  /** Null: until it is removed. */
  expiresAt: Timestamp.nullable(),
  hasEnded: z.boolean(),
  createdAt: Timestamp,
});
export type InsightLink = z.infer<typeof InsightLink>;

const notPublic = {
  inputTokens: true,
  outputTokens: true,
  credits: true,
  costUsd: true,
  priced: true,
  unpriced: true,
} as const;

/** What a link shows: how much an agent is asked and how well it answers. Nobody by name, no knowledge, no money. */
export const PublicInsight = Insight.omit({ sources: true, revenue: true }).extend({
  now: InsightSums.omit(notPublic),
  before: InsightSums.omit(notPublic),
  series: z.array(InsightPoint.omit({ costUsd: true })),
});
export type PublicInsight = z.infer<typeof PublicInsight>;

export const insightLink = {
  /** Newest first, including expired ones. */
  list: route({
    method: 'GET',
    path: '/v1/insight/{agentId}/link',
    summary: "The links to an agent's insights",
    input: z.strictObject({ agentId: idOf('agent') }),
    output: z.object({ links: z.array(InsightLink) }),
  }),
  create: route({
    method: 'POST',
    path: '/v1/insight/{agentId}/link',
    summary: "Create a link to an agent's insights",
    input: z.strictObject({
      agentId: idOf('agent'),
      name: name(INSIGHT_LINK_NAME_MAX_CHARACTERS),
      /** Unset: until it is removed. */
      days: z.number().int().min(1).max(INSIGHT_LINK_MAX_DAYS).optional(),
    }),
    output: z.object({
      link: InsightLink,
      /** The end of its address, `/insights/<token>`: shown only this once. */
      token: z.string(),
    }),
  }),
  remove: route({
    method: 'DELETE',
    path: '/v1/insight/{agentId}/link/{linkId}',
    summary: "Remove a link to an agent's insights",
    input: z.strictObject({ agentId: idOf('agent'), linkId: idOf('insightLink') }),
    output: z.object({ removed: z.literal(true) }),
  }),
  /** Errors: 404 for a link that doesn't exist, has ended or never existed; 400 for a period it doesn't show. */
  read: route({
    method: 'GET',
    path: '/v1/insight/link/{token}',
    summary: "Read an agent's insights through a link",
    access: 'public',
    limit: { requests: INSIGHT_LINK_READS_PER_MINUTE_AND_ADDRESS, seconds: 60 },
    input: z.strictObject({ token: text(100, 1), ...chosen }),
    output: z.object({
      agentName: z.string(),
      /** The periods to choose from. */
      periods: z.array(z.enum(insightPeriods)),
      insight: PublicInsight,
    }),
  }),
};
