import type { Offer } from '../../../../contract/product.ts';
import type { StorefrontConfig } from '../../../../contract/storefront.ts';
import { digitsOf } from '../../../html.ts';

interface Described {
  name: string;
  description: string;
  url: string;
  image: string;
  config: StorefrontConfig;
  offers: Offer[];
}

/** What search engines read of the page, as schema.org data. */
export function structuredData({ name, description, url, image, config, offers }: Described): object {
  const product = {
    '@type': 'Product',
    name,
    url,
    image,
    ...(description === '' ? {} : { description }),
    ...(offers.length === 0 ? {} : { offers: offers.map((offer) => offerOf(offer, url)) }),
  };
  const questions = config.sections
    .flatMap((section) => (section.kind === 'questions' ? section.items : []))
    .filter(({ answer }) => answer.trim() !== '')
    .map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    }));
  const faq = questions.length === 0 ? [] : [{ '@type': 'FAQPage', mainEntity: questions }];
  return { '@context': 'https://schema.org', '@graph': [product, ...faq] };
}

function offerOf({ paymentConfig, detailsConfig }: Offer, url: string): object {
  const paid = paymentConfig.kind === 'free' ? { amount: 0, currency: 'usd' } : paymentConfig;
  const digits = digitsOf(paid.currency);
  return {
    '@type': 'Offer',
    name: detailsConfig.name,
    price: (paid.amount / 10 ** digits).toFixed(digits),
    priceCurrency: paid.currency.toUpperCase(),
    availability: 'https://schema.org/InStock',
    url,
  };
}
