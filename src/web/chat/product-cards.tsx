import type { Citation } from '../../contract/chat.ts';
import type { ProductCard } from '../../contract/source.ts';
import { numberLocale } from '../messages/locale.ts';
import { LazyImage } from '../ui/lazy-image.tsx';
import { imageAddress, linkAddress } from './markdown/address.ts';
import style from './product-cards.module.css';
import { t } from './answer-text.ts';

interface ProductCardsProps {
  text: string;
  citations: readonly Citation[];
}

/** The products an answer mentions, each once. */
export function ProductCards({ text, citations }: ProductCardsProps) {
  const cards = new Map<string, ProductCard>();
  for (const { card, number } of citations)
    if (card && text.includes(`[${number}]`)) cards.set(card.url ?? card.name, card);
  if (cards.size === 0) return null;
  return (
    <ul className={style['cards']} aria-label={t('chat.products')}>
      {[...cards].map(([key, card]) => (
        <li key={key}>
          <Product card={card} />
        </li>
      ))}
    </ul>
  );
}

export function Product({ card: { name, price, currency, url, image } }: { card: ProductCard }) {
  const address = url === null ? null : linkAddress(url);
  const picture = image === null ? null : imageAddress(image, location.origin);
  const content = (
    <>
      {picture && <LazyImage kind="fixed" src={picture} alt="" />}
      <span className={style['facts']}>
        <span className={style['name']}>{name}</span>
        {price !== null && <span>{formatPrice(price, currency)}</span>}
        {address && <span className={style['host']}>{new URL(address).host}</span>}
      </span>
    </>
  );
  if (!address) return <div className={style['card']}>{content}</div>;
  return (
    <a className={style['card']} href={address} target="_blank" rel="noopener noreferrer nofollow">
      {content}
    </a>
  );
}

/** Formatted for the reader's locale; as on the original page if it isn't an amount in a known currency. */
export function formatPrice(price: string, currency: string | null): string {
  const amount = Number(price);
  if (currency === null || !/^[A-Z]{3}$/.test(currency) || !Number.isFinite(amount))
    return currency === null ? price : `${price} ${currency}`;
  return new Intl.NumberFormat(numberLocale, { style: 'currency', currency }).format(amount);
}
