import type { Insight, InsightSums, OrganizationInsight } from '../../../contract/insight.ts';

/** Rows with their names first; cells are made harmless where they are written (`csvOf`). */

const pointColumns = [
  'at',
  'conversations',
  'messages',
  'answered',
  'unanswered',
  'failed',
  'costUsd',
] as const;

export function csvOfAgent({ series }: Insight): string[][] {
  return [[...pointColumns], ...series.map((point) => pointColumns.map((column) => String(point[column])))];
}

const sumColumns = [
  'conversations',
  'messages',
  'people',
  'answered',
  'unanswered',
  'failed',
  'ratedUp',
  'ratedDown',
  'handovers',
  'inputTokens',
  'outputTokens',
  'credits',
  'costUsd',
  'priced',
  'unpriced',
] as const satisfies (keyof InsightSums)[];

export function csvOfOrganization({ agents, members }: OrganizationInsight): string[][] {
  const memberColumns = ['member', 'answers', 'takeovers', 'waitSeconds'];
  const blank = sumColumns.map(() => '');
  return [
    ['agent', ...sumColumns, ...memberColumns],
    ...agents.map(({ name, now }) => [
      name,
      ...sumColumns.map((column) => String(now[column])),
      '',
      '',
      '',
      '',
    ]),
    ...members.map(({ name, answers, takeovers, waitSeconds }) => [
      '',
      ...blank,
      name,
      String(answers),
      String(takeovers),
      waitSeconds === null ? '' : String(waitSeconds),
    ]),
  ];
}
