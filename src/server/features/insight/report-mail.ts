import type { ReportPace } from '../../../contract/insight-periods.ts';
import type { InsightSums } from '../../../contract/insight.ts';
import { mailHtml, named } from '../../mail/html.ts';
import type { MailContent } from '../../mail/mailer.ts';
import type { Range } from './scope.ts';
import { noSums, type AllSums } from './sums-store.ts';

/** How many agents are listed, by how much they were asked. */
const AGENTS_NAMED = 10;

interface ReportLetter {
  organizationName: string;
  every: ReportPace;
  range: Range;
  agents: readonly { id: string; name: string }[];
  sums: AllSums;
  link: string;
}

/** A week's or month's numbers, next to those before. */
export function reportMail(letter: ReportLetter): MailContent {
  const { organizationName, agents, sums, link } = letter;
  const { now, before } = sums.together;
  const name = named(organizationName);
  const title = `${name}: ${counted(now.conversations, 'conversation')} in ${spanOf(letter)}`;
  const asked = agents
    .map((agent) => ({ name: agent.name, now: sums.byAgent.get(agent.id)?.now ?? noSums }))
    .filter((agent) => agent.now.messages > 0)
    .toSorted((a, b) => b.now.messages - a.now.messages);
  const paragraphs = [
    ...linesOf(now, before),
    ...asked.slice(0, AGENTS_NAMED).map(({ name: agent, now: sums }) => agentLine(agent, sums)),
  ];
  const footnote = 'You turned on this e-mail under Organization insights, and can turn it off there.';
  return {
    subject: title,
    text: [...paragraphs, 'All numbers:', link, footnote].join('\n\n'),
    html: mailHtml({ title, paragraphs, button: { label: 'All numbers', link }, footnote }),
  };
}

/** In its reader's days. */
function spanOf({ every, range: { until, timeZone } }: ReportLetter): string {
  const last = Date.parse(until) - 1;
  const said = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en', { ...options, timeZone }).format(last);
  return every === 'week'
    ? `the week to ${said({ dateStyle: 'long' })}`
    : said({ month: 'long', year: 'numeric' });
}

function linesOf(now: InsightSums, before: InsightSums): string[] {
  const beside = (count: keyof InsightSums) => `${numberOf(now[count])} (before: ${numberOf(before[count])})`;
  return [
    `Conversations: ${beside('conversations')}. People: ${beside('people')}. Messages: ${beside('messages')}.`,
    `Answered: ${shareOf(now.answerRate)} (before: ${shareOf(before.answerRate)}). Said “I don’t know”: ${beside('unanswered')}.`,
    `Rated up: ${beside('ratedUp')}, down: ${beside('ratedDown')}. Asked for a person: ${beside('handovers')}.`,
  ];
}

const agentLine = (name: string, { messages, answerRate, unanswered }: InsightSums): string =>
  `${named(name)}: ${counted(messages, 'message')}, ${shareOf(answerRate)} answered, “I don’t know” ${unanswered === 1 ? 'once' : `${numberOf(unanswered)} times`}.`;

const numberOf = (sum: InsightSums[keyof InsightSums]): string => Number(sum).toLocaleString('en');
const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

const shareOf = (rate: number | null): string => (rate === null ? '–' : `${Math.round(rate * 100)} %`);
