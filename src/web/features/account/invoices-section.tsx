import type { PlanInvoice } from '../../../contract/billing.ts';
import { formatMoney } from '../../format-money.ts';
import { formatDay } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Section } from '../../ui/section.tsx';
import style from './billing.module.css';

const tones: Record<PlanInvoice['state'], Tone> = {
  draft: 'neutral',
  open: 'warning',
  paid: 'good',
  uncollectible: 'bad',
  void: 'neutral',
};

/** Recent payments. */
export function InvoicesSection({ invoices }: { invoices: PlanInvoice[] | null }) {
  return (
    <Section title={t('billing.invoices')}>
      {invoices === null && <Callout>{t('billing.invoicesUnknown')}</Callout>}
      {invoices?.length === 0 && <p className={style['soft']}>{t('billing.noInvoices')}</p>}
      {invoices !== null && invoices.length > 0 && (
        <ul className={style['invoices']}>
          {invoices.map((invoice) => (
            <Invoice key={invoice.id} invoice={invoice} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Invoice({ invoice: { at, amount, currency, state, url } }: { invoice: PlanInvoice }) {
  const date = formatDay(at);
  return (
    <li>
      {url === null ? (
        <span>{date}</span>
      ) : (
        <a href={url} rel="noreferrer" aria-label={t('billing.invoiceOpen', { date })}>
          {date}
        </a>
      )}
      <Badge tone={tones[state]}>{t(`billing.invoice.${state}`)}</Badge>
      <span className={style['amount']}>{formatMoney(amount, currency)}</span>
    </li>
  );
}
