import type { Card } from './kinds.ts';

/** The only numbers accepted. No real card gets in here, and none is stored. */
const testCards: Record<string, Pick<Card, 'brand' | 'behaviour'>> = {
  '4242424242424242': { brand: 'visa', behaviour: 'pays' },
  '5555555555554444': { brand: 'mastercard', behaviour: 'pays' },
  '4000000000000002': { brand: 'visa', behaviour: 'declines' },
  '4000002500003155': { brand: 'visa', behaviour: 'asks' },
  '4000000000000341': { brand: 'visa', behaviour: 'fails later' },
  '4000000000000259': { brand: 'visa', behaviour: 'is disputed' },
};

export type CardFault = 'number' | 'expiry' | 'security code';

/** What may be stored of a card, or what is wrong with the input. */
export function readCard(form: { number?: string; expiry?: string; code?: string }): Card | CardFault {
  const number = (form.number ?? '').replace(/[\s-]/g, '');
  const known = testCards[number];
  if (!known) return 'number';
  const [, month = '', year = ''] =
    /^(0?[1-9]|1[0-2])\s*\/\s*(?:20)?(\d{2})$/.exec((form.expiry ?? '').trim()) ?? [];
  const expYear = 2000 + Number(year);
  const isOver = expYear * 12 + Number(month) <= new Date().getUTCFullYear() * 12 + new Date().getUTCMonth();
  if (month === '' || isOver) return 'expiry';
  if (!/^\d{3,4}$/.test((form.code ?? '').trim())) return 'security code';
  return { ...known, last4: number.slice(-4), expMonth: Number(month), expYear };
}
