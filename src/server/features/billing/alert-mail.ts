import { planNames, type PlanType } from '../../../contract/plans.ts';
import { mailHtml } from '../../mail/html.ts';
import type { MailContent } from '../../mail/mailer.ts';

export interface UsageLetter {
  organizationName: string;
  planType: PlanType;
  percent: number;
  used: number;
  limit: number;
  link: string;
}

export function alertMail(letter: UsageLetter): MailContent {
  const { planType, percent, used, limit, link } = letter;
  const organization = letter.organizationName.replace(/\s+/g, ' ').trim();
  const title = `${organization} has used ${percent} % of this month's credits`;
  const numbers = `${used} of the ${limit} credits of the plan ${planNames[planType]} are used.`;
  const outlook =
    percent >= 100
      ? 'Until the month ends, the agents answer only as far as the setting of the plan lets them. A larger plan begins at once.'
      : 'When all are used, the agents stop answering until the month ends, unless there is a larger plan.';
  const footnote = 'Owners get this mail, once a month for each of 50, 75, 90 and 100 %.';
  return {
    subject: title,
    text: [numbers, outlook, 'Plan and usage:', link, footnote].join('\n\n'),
    html: mailHtml({
      title,
      paragraphs: [numbers, outlook],
      button: { label: 'See plan and usage', link },
      footnote,
    }),
  };
}
