import type { ReactNode } from 'react';
import type { Offer } from '../../../contract/product.ts';
import { priceOf, termsOf } from './price.ts';
import style from './shop.module.css';
import { t } from './text.ts';

interface OfferCardProps {
  /** The price may be missing while there is none. */
  offer: Pick<Offer, 'detailsConfig'> & Partial<Pick<Offer, 'paymentConfig'>>;
  /** The buy button. */
  action?: ReactNode;
}

/** A product with its price and contents. */
export function OfferCard({ offer: { paymentConfig, detailsConfig }, action }: OfferCardProps) {
  const { name, description, features, isHighlighted } = detailsConfig;
  return (
    <article className={style['offer']} data-highlighted={isHighlighted}>
      {isHighlighted && <p className={style['badge']}>{t('offers.recommended')}</p>}
      <h3 className={style['name']}>{name}</h3>
      <p className={style['price']}>{paymentConfig ? priceOf(paymentConfig) : '—'}</p>
      {description && <p className={style['description']}>{description}</p>}
      <ul className={style['terms']}>
        {[...(paymentConfig ? termsOf(paymentConfig) : []), ...features].map((term, index) => (
          <li key={index}>{term}</li>
        ))}
      </ul>
      {action}
    </article>
  );
}
