import type { PublicAgent } from '../../contract/chatbot.ts';
import { text } from '../html.ts';

const DESCRIPTION = /<meta name="description" content="([^"]*)" \/>/;
/** Messengers don't display SVG. */
const OWN_PICTURE = '/images/apple-touch-icon.png';

/** The agent named in a chat's address; conversations are nobody else's business. */
export function agentNamedIn(address: string): string | undefined {
  return /^\/chat\/(?!cnv_|shr_)([\w-]+)\/?$/.exec(address)?.[1];
}

/**
 * The built page with an agent's name, text and picture in its head, which messengers and search engines show for a
 * link to it: they run no scripts. Nobody's text becomes markup.
 */
export function withLinkCard(page: string, agent: PublicAgent, url: URL): string {
  const { name, welcomeMessage, profilePhoto, appearance } = agent;
  const picture = appearance.logo ?? profilePhoto;
  const image = new URL(picture.endsWith('.svg') ? OWN_PICTURE : picture, url);
  const about = DESCRIPTION.exec(page)?.[1] ?? '';
  const title = written(name);
  const told = welcomeMessage === '' ? about : written(welcomeMessage);
  const head = [
    `<title>${title}</title>`,
    `<meta name="description" content="${told}">`,
    '<meta property="og:type" content="website">',
    `<meta property="og:title" content="${title}">`,
    `<meta property="og:description" content="${told}">`,
    `<meta property="og:url" content="${text(url.href)}">`,
    `<meta property="og:image" content="${text(image.href)}">`,
    '<meta name="twitter:card" content="summary">',
  ];
  const bare = page.replace(/<title>[^<]*<\/title>/, '').replace(DESCRIPTION, '');
  return bare.replace('</head>', () => `${head.join('')}</head>`);
}

/** Escaped, so that nothing in it matches a placeholder that is filled in when the page is sent (`__CSP_NONCE__`). */
const written = (value: string) => text(value).replaceAll('__', '_&#95;');
