import type { ReportPace } from '../../../contract/insight-periods.ts';
import type { InsightSums, OrganizationInsight } from '../../../contract/insight.ts';
import { mailHtml } from '../../mail/html.ts';
import type { MailContent } from '../../mail/mailer.ts';

/** Agents that are named, by how much they were asked. */
const AGENTS_NAMED = 10;

export interface ReportLetter {
  organizationName: string;
  every: ReportPace;
  insight: Pick<OrganizationInsight, 'now' | 'before' | 'agents'>;
  link: string;
}

/** The numbers of a week or a month, beside those before. */
export function reportMail({ organizationName, every, insight, link }: ReportLetter): MailContent {
  const { now, before, agents } = insight;
  const name = organizationName.replaceAll(/\s+/g, ' ').trim();
  const title = `${name}: ${now.conversations} conversations in ${every === 'week' ? '7' : '30'} days`;
  const asked = agents
    .filter((agent) => agent.now.messages > 0)
    .toSorted((a, b) => b.now.messages - a.now.messages);
  const paragraphs = [
    ...linesOf(now, before),
    ...asked.slice(0, AGENTS_NAMED).map(({ name: agent, now: sums }) => agentLine(agent, sums)),
  ];
  const footnote = 'You asked for this mail under Insights of the organization, and can end it there.';
  return {
    subject: title,
    text: [...paragraphs, 'All numbers:', link, footnote].join('\n\n'),
    html: mailHtml({ title, paragraphs, button: { label: 'All numbers', link }, footnote }),
  };
}

function linesOf(now: InsightSums, before: InsightSums): string[] {
  const beside = (count: keyof InsightSums) => `${now[count] as number} (before: ${before[count] as number})`;
  return [
    `Conversations: ${beside('conversations')}. People: ${beside('people')}. Messages: ${beside('messages')}.`,
    `Answered: ${shareOf(now.answerRate)} (before: ${shareOf(before.answerRate)}). Without an answer: ${beside('unanswered')}.`,
    `Rated well: ${beside('ratedUp')}, badly: ${beside('ratedDown')}. A person was asked for: ${beside('handovers')}.`,
  ];
}

const agentLine = (name: string, { messages, answerRate, unanswered }: InsightSums): string =>
  `${name.replaceAll(/\s+/g, ' ').trim()}: ${messages} messages, ${shareOf(answerRate)} answered, ${unanswered} without an answer.`;

const shareOf = (rate: number | null): string => (rate === null ? '–' : `${Math.round(rate * 100)} %`);
