import type { Offer } from '../../../../contract/product.ts';
import type { StorefrontSection } from '../../../../contract/storefront.ts';
import { text } from '../../../html.ts';
import { priceOf, termsOf } from './price.ts';
import { richText } from './rich-text.ts';

export interface Shown {
  offers: Offer[];
  isTestMode: boolean;
  locale: string;
  /** Where a link on the page leads; empty in a preview, where links lead nowhere. */
  linkTo: (path: string) => string;
  chatPath: string;
}

/** What a section shows; empty if it has no content. */
export function sectionOf(section: StorefrontSection, shown: Shown): string {
  const content = contentOf(section, shown);
  if (content === '') return '';
  const heading = section.title.trim() === '' ? '' : `<h2>${text(section.title)}</h2>`;
  return `<section class="${section.kind}"${section.kind === 'offers' ? ' id="offers"' : ''}>${heading}${content}</section>`;
}

function contentOf(section: StorefrontSection, shown: Shown): string {
  switch (section.kind) {
    case 'about':
      return richText(section.text);
    case 'features':
      return listed(
        section.items.map(({ title, text: words }) => `<h3>${text(title)}</h3>${richText(words)}`),
      );
    case 'questions':
      return section.items
        .map(
          ({ question, answer }) =>
            `<details><summary>${text(question)}</summary><div>${richText(answer)}</div></details>`,
        )
        .join('');
    case 'offers':
      return offersOf(shown);
    case 'chat':
      return `${richText(section.text)}<p><a class="button"${shown.linkTo(shown.chatPath)}>Chat</a></p>`;
  }
}

function offersOf(shown: Shown): string {
  if (shown.offers.length === 0) return '';
  const mode = shown.isTestMode ? '<p class="mode">Test mode: no money moves.</p>' : '';
  return mode + listed(shown.offers.map((offer) => offerOf(offer, shown)));
}

function offerOf({ id, paymentConfig, detailsConfig }: Offer, { locale, linkTo, chatPath }: Shown): string {
  const { name, description, features, isHighlighted } = detailsConfig;
  const verb = paymentConfig.kind === 'free' ? 'Start for free' : 'Buy';
  const points = [...termsOf(paymentConfig, locale), ...features].map((each) => `<li>${text(each)}</li>`);
  return `${isHighlighted ? '<p class="badge">Recommended</p>' : ''}<h3>${text(name)}</h3>
<p class="price"><bdi dir="ltr">${text(priceOf(paymentConfig, locale))}</bdi></p>${richText(description)}
<ul>${points.join('')}</ul>
<p><a class="button${isHighlighted ? '' : ' plain'}"${linkTo(`${chatPath}?buy=${id}`)} aria-label="${text(`${verb}: ${name}`)}">${verb}</a></p>`;
}

function listed(items: string[]): string {
  if (items.length === 0) return '';
  return `<ul class="cards">${items.map((item) => `<li>${item}</li>`).join('\n')}</ul>`;
}
