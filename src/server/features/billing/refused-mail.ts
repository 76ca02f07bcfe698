import { planNames, type PlanType } from '../../../contract/plans.ts';
import { mailHtml, named } from '../../mail/html.ts';
import type { MailContent } from '../../mail/mailer.ts';

interface RefusedLetter {
  organizationName: string;
  planType: PlanType;
  /** When the plan ends if it isn't paid by then. */
  holdsUntil: Date;
  link: string;
}

/** Tells an owner that a renewal was declined, while there is time to pay. */
export function refusedMail({ organizationName, planType, holdsUntil, link }: RefusedLetter): MailContent {
  const plan = planNames[planType];
  const title = `${named(organizationName)}: the payment for the ${plan} plan was declined`;
  const until = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(holdsUntil);
  const paragraphs = [
    `The ${plan} plan could not be renewed because the payment was declined. Check the card or use another one.`,
    `The plan stays active until ${until} (UTC). If it is not paid by then, the organization moves to ${planNames.FREE_PLAN}. Nothing is deleted, and the plan returns as soon as it is paid.`,
  ];
  const footnote = 'Owners get this e-mail when a renewal is declined.';
  return {
    subject: title,
    text: [...paragraphs, 'Plan and payment:', link, footnote].join('\n\n'),
    html: mailHtml({ title, paragraphs, button: { label: 'See plan and payment', link }, footnote }),
  };
}
