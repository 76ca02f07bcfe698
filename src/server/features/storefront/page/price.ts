import type { PaymentConfig } from '../../../../contract/product.ts';
import { money } from '../../../html.ts';

/** `€9.00 a month`. */
export function priceOf(config: PaymentConfig, locale: string): string {
  if (config.kind === 'free') return 'Free';
  const amount = money(config.amount, config.currency, locale);
  return config.kind === 'recurring' ? `${amount} a ${config.interval}` : amount;
}

/** What the buyer gets, in a few words each. */
export function termsOf(config: PaymentConfig, locale: string): string[] {
  const terms: string[] = [];
  if (config.kind === 'recurring' && config.trialDays > 0)
    terms.push(`${days(config.trialDays, locale)} free`);
  terms.push(creditsOf(config, locale));
  if (config.kind === 'once')
    terms.push(
      config.accessDays === null ? 'Pay once, yours forever' : `For ${days(config.accessDays, locale)}`,
    );
  if (config.kind === 'pack') terms.push('No expiry');
  return terms;
}

function creditsOf(config: PaymentConfig, locale: string): string {
  if (config.credits === null) return 'Unlimited answers';
  // If each answer costs one credit, a credit is an answer.
  const isAnswer = config.creditsAMessage === 1 && config.creditsAToolCall === 0;
  const unit = isAnswer ? 'answer' : 'credit';
  const number = config.credits.toLocaleString(locale);
  const every = { once: '', pack: '', free: ' a month', recurring: '' };
  const period = config.kind === 'recurring' ? ` a ${config.interval}` : every[config.kind];
  return `${number} ${unit}${config.credits === 1 ? '' : 's'}${period}`;
}

function days(count: number, locale: string): string {
  return `${count.toLocaleString(locale)} day${count === 1 ? '' : 's'}`;
}
