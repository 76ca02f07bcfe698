import type { PaymentConfig } from '../../../contract/product.ts';
import { numberLocale } from '../../messages/locale.ts';
import { t } from './text.ts';

/** An amount in the smallest unit of its currency, in the reader's format. */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(numberLocale, { style: 'currency', currency });
  return format.format(amount / 10 ** digitsOf(currency));
}

/** The number of decimal digits of a currency. */
export function digitsOf(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

export function priceOf(config: PaymentConfig): string {
  if (config.kind === 'free') return t('offers.free');
  const price = formatMoney(config.amount, config.currency);
  return config.kind === 'recurring' ? t(`offers.${config.interval}`, { price }) : price;
}

/** What the buyer gets, in a few words each. */
export function termsOf(config: PaymentConfig): string[] {
  const terms: string[] = [];
  if (config.kind === 'recurring' && config.trialDays > 0)
    terms.push(t('offers.trial#', { count: config.trialDays }));
  terms.push(creditsOf(config));
  if (config.kind === 'once')
    terms.push(
      config.accessDays === null ? t('offers.forGood') : t('offers.forDays#', { count: config.accessDays }),
    );
  if (config.kind === 'pack') terms.push(t('offers.noExpiry'));
  return terms;
}

function creditsOf(config: PaymentConfig): string {
  const { credits } = config;
  if (credits === null) return t('offers.unlimited');
  // If each answer costs one credit, a credit is an answer.
  const isAnswer = config.creditsAMessage === 1 && config.creditsAToolCall === 0;
  const number = new Intl.NumberFormat(numberLocale).format(credits);
  const what = t(isAnswer ? 'offers.answers#' : 'offers.credits#', { count: credits, number });
  if (config.kind === 'free') return t('offers.eachMonth', { what });
  if (config.kind !== 'recurring') return what;
  return config.interval === 'month' ? t('offers.eachMonth', { what }) : t('offers.eachYear', { what });
}
