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
  const footnote = `Owners get this e-mail once a month at 50, 75, 90 and 100 % of each limit of the ${planNames[planType]} plan.`;
  return {
    subject: title,
    text: [...paragraphs, 'Plan and usage:', link, footnote].join('\n\n'),
    html: mailHtml({ title, paragraphs, button: { label: 'See plan and usage', link }, footnote }),
  };
}

function numbersOf({ planType, kind, used, limit }: UsageLetter): string {
  const plan = `the ${planNames[planType]} plan`;
  if (kind === 'knowledgeBytes' || kind === 'storedBytes')
    return `${sizeOf(used)} of the ${sizeOf(limit)} in ${plan} are used.`;
  return `${used.toLocaleString('en')} of the ${limit.toLocaleString('en')} ${kind === 'credits' ? 'answers' : kind} in ${plan} are used.`;
}

function outlookOf({ kind, percent, creditStop }: UsageLetter): string {
  const isAll = percent >= 100;
  if (kind !== 'credits')
    return isAll
      ? 'Nothing is lost, but nothing more can be added until you remove something or choose a larger plan.'
      : 'Once the limit is reached, nothing more can be added until you remove something or choose a larger plan.';
  const more = `answer up to ${SOFT_STOP_MAX_SHARE * 100} % more, as set, and then stop`;
  const stop = creditStop === 'soft' ? more : 'stop';
  return isAll
    ? `Unless you have bonus answers, the agents ${stop} until the month ends. A larger plan starts immediately.`
    : `Once all are used, the agents ${stop} until the month ends, unless you have bonus answers or a larger plan.`;
}
