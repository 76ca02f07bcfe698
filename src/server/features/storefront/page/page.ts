import { createHash } from 'node:crypto';
import type { PublicAgent } from '../../../../contract/chatbot.ts';
import type { Offer } from '../../../../contract/product.ts';
import type { StorefrontConfig } from '../../../../contract/storefront.ts';
import type { Agent } from '../../../access/gate.ts';
import { publicAgentOf } from '../../../access/present-agent.ts';
import { scriptJson, text } from '../../../html.ts';
import { sectionOf, type Shown } from './sections.ts';
import { structuredData } from './structured-data.ts';
import { styleOf } from './style.ts';

interface Storefronted {
  agent: Agent;
  config: StorefrontConfig;
  /** All products for sale. */
  offers: Offer[];
  isTestMode: boolean;
  origin: string;
  locale: string;
  /** Its links lead nowhere, and it is shown inside another page. */
  isPreview?: boolean;
}

export interface Page {
  html: string;
  /** The hash of its single style, for the policy. */
  styleHash: string;
}

/** Languages written from right to left. */
const RIGHT_TO_LEFT = /^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)\b/i;

/** The whole page: no script, nothing from other origins, and nobody's text becomes markup. */
export function pageOf(given: Storefronted): Page {
  const { agent, config, origin, locale, isTestMode, isPreview = false } = given;
  const seen = publicAgentOf(agent);
  const style = styleOf(seen.appearance);
  const chatPath = `/chat/${agent.handle}`;
  const shown: Shown = {
    offers: offered(given),
    isTestMode,
    locale,
    chatPath,
    linkTo: (path) => (isPreview ? '' : ` href="${text(origin + path)}"`),
  };
  const sections = config.sections.map((section) => sectionOf(section, shown)).join('\n');
  const html = `<!doctype html>
<html lang="${text(agent.language ?? 'en')}"${RIGHT_TO_LEFT.test(agent.language ?? '') ? ' dir="rtl"' : ''}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
${isPreview ? `<title>${text(titleOf(given))}</title>` : headOf(given, shown.offers)}<style>${style}</style></head>
<body><header><span class="who">${faceOf(seen)}${text(agent.name)}</span><a class="button plain"${shown.linkTo(chatPath)}>Chat</a></header>
<main>${heroOf(config, shown, sections.includes('id="offers"'))}
${sections}</main>
<footer>${text(agent.name)}</footer></body></html>`;
  return { html, styleHash: `'sha256-${createHash('sha256').update(style).digest('base64')}'` };
}

/** The products the owner has chosen, in their order, without those no longer for sale. */
function offered({ offers, config }: Storefronted): Offer[] {
  if (config.products === null) return offers;
  const byId = new Map(offers.map((offer) => [offer.id, offer]));
  return config.products.flatMap((id) => byId.get(id) ?? []);
}

function titleOf({ config }: Storefronted): string {
  return config.seoTitle || config.headline;
}

function headOf(given: Storefronted, offers: Offer[]): string {
  const { agent, config, origin } = given;
  const url = `${origin}/s/${agent.handle}`;
  const description = config.seoDescription || config.tagline;
  const image = origin + (config.picture ?? agent.profilePhoto);
  const data = structuredData({ name: agent.name, description, url, image, config, offers });
  return `<title>${text(titleOf(given))}</title><meta name="description" content="${text(description)}"><link rel="canonical" href="${text(url)}">
<meta property="og:type" content="website"><meta property="og:site_name" content="${text(agent.name)}"><meta property="og:title" content="${text(titleOf(given))}"><meta property="og:description" content="${text(description)}"><meta property="og:url" content="${text(url)}"><meta property="og:image" content="${text(image)}"><meta name="twitter:card" content="${config.picture ? 'summary_large_image' : 'summary'}">
<link rel="icon" href="/icon.svg"><script type="application/ld+json">${scriptJson(data)}</script>`;
}

function faceOf({ appearance: { logo }, profilePhoto }: PublicAgent): string {
  return logo === null
    ? `<img src="${text(profilePhoto)}" alt="">`
    : `<img class="logo" src="${text(logo)}" alt="">`;
}

function heroOf({ headline, tagline, picture }: StorefrontConfig, shown: Shown, hasOffers: boolean): string {
  const image = picture === null ? '' : `<img src="${text(picture)}" alt="">`;
  const plans = hasOffers ? `<a class="button plain" href="#offers">See plans</a>` : '';
  return `<div class="hero"><h1>${text(headline)}</h1>${tagline === '' ? '' : `<p>${text(tagline)}</p>`}
<div class="acts"><a class="button"${shown.linkTo(shown.chatPath)}>Chat</a>${plans}</div>${image}</div>`;
}
