import { SOFT_STOP_MAX_SHARE } from '../../../contract/limits.ts';
import { planNames, type AlertKind, type CreditStop, type PlanType } from '../../../contract/plans.ts';
import { sizeOf } from '../../access/quota.ts';
import { mailHtml, named } from '../../mail/html.ts';
import type { MailContent } from '../../mail/mailer.ts';

interface UsageLetter {
  organizationName: string;
  planType: PlanType;
  kind: AlertKind;
  percent: number;
  used: number;
  limit: number;
  creditStop: CreditStop;
  link: string;
}

const things: Record<AlertKind, string> = {
  credits: "this month's answers",
  agents: 'its agents',
  members: 'its members',
  teams: 'its teams',
  knowledgeBytes: 'its knowledge text',
  storedBytes: 'its stored files',
  products: 'its products',
};

export function alertMail(letter: UsageLetter): MailContent {
  const { planType, kind, percent, link } = letter;
  const organization = named(letter.organizationName);
  const title = `${organization} has used ${percent} % of ${things[kind]}`;
  const paragraphs = [numbersOf(letter), outlookOf(letter)];
  const footnote = `Owners get this mail, once a month for each of 50, 75, 90 and 100 % of what the plan ${planNames[planType]} holds.`;
  return {
    subject: title,
    text: [...paragraphs, 'Plan and usage:', link, footnote].join('\n\n'),
    html: mailHtml({ title, paragraphs, button: { label: 'See plan and usage', link }, footnote }),
  };
}

function numbersOf({ planType, kind, used, limit }: UsageLetter): string {
  const plan = `the plan ${planNames[planType]}`;
  if (kind === 'knowledgeBytes' || kind === 'storedBytes')
    return `${sizeOf(used)} of the ${sizeOf(limit)} of ${plan} are used.`;
  return `${used.toLocaleString('en')} of the ${limit.toLocaleString('en')} ${kind === 'credits' ? 'answers' : kind} of ${plan} are used.`;
}

function outlookOf({ kind, percent, creditStop }: UsageLetter): string {
  const isAll = percent >= 100;
  if (kind !== 'credits')
    return isAll
      ? 'Nothing is lost, and nothing more can be added unless something is removed or there is a larger plan.'
      : 'When all are used, nothing more can be added unless something is removed or there is a larger plan.';
  const more = `answer up to ${SOFT_STOP_MAX_SHARE * 100} % more, as it is set, and then stop`;
  const stop = creditStop === 'soft' ? more : 'stop';
  return isAll
    ? `Unless there are bonus answers, the agents ${stop} until the month ends. A larger plan begins at once.`
    : `When all are used, the agents ${stop} until the month ends, unless there are bonus answers or a larger plan.`;
}
