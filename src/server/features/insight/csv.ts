import type { EstimatedSums, Insight, InsightSums, OrganizationInsight } from '../../../contract/insight.ts';

/** Rows with a header row; cells are made harmless where they are written (`csvOf`). */

const pointColumns = [
  'at',
  'conversations',
  'messages',
  'answered',
  'unanswered',
  'failed',
  'estimatedPositive',
  'estimatedNeutral',
  'estimatedNegative',
  'costUsd',
] as const;

/** Days and hours are those of the viewer, as in the chart, in the form that spreadsheets take for dates: Sweden's. */
export function csvOfAgent({ period, timeZone, series }: Insight): string[][] {
  const time = period === '24h' ? { timeStyle: 'short' as const } : {};
  const format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', ...time });
  const cells = series.map((point) => ({ ...point, at: format.format(new Date(point.at)) }));
  return [[...pointColumns], ...cells.map((point) => pointColumns.map((column) => String(point[column])))];
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

/** Named so that they are recognizable as estimates. */
const estimatedColumns: [name: string, of: keyof EstimatedSums][] = [
  ['estimatedConversations', 'conversations'],
  ['estimatedPositive', 'positive'],
  ['estimatedNeutral', 'neutral'],
  ['estimatedNegative', 'negative'],
  ['estimatedAnswered', 'answered'],
  ['estimatedGrounded', 'grounded'],
  ['estimatedQuality', 'quality'],
];
const estimatedNames = estimatedColumns.map(([name]) => name);
const estimatedCells = ({ estimated }: InsightSums) =>
  estimatedColumns.map(([, of]) => (estimated[of] === null ? '' : String(estimated[of])));

export function csvOfOrganization({ agents, members }: OrganizationInsight): string[][] {
  const memberColumns = ['member', 'answers', 'takeovers', 'waitSeconds'];
  const blank = [...sumColumns, ...estimatedNames].map(() => '');
  return [
    ['agent', ...sumColumns, ...estimatedNames, ...memberColumns],
    ...agents.map(({ name, now }) => [
      name,
      ...sumColumns.map((column) => String(now[column])),
      ...estimatedCells(now),
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
