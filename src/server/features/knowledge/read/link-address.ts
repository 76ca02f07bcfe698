/** Where a link leads, as people write it. A page's own links are left out: whoever reads about it can open the page. */
const CONTACT = /^(?:mailto|tel):/i;
/** In a file, where there is no page to open, an address on the web too. */
const ANYWHERE = /^(?:mailto|tel|https?):/i;

export type NamedLinks = 'contacts' | 'all';

/** The address to write after a link's words; empty if they say it themselves, or if it isn't for people. */
export function addressAfter(words: string, href: string, named: NamedLinks): string {
  const link = href.trim();
  if (!(named === 'all' ? ANYWHERE : CONTACT).test(link)) return '';
  const address = CONTACT.test(link) ? contactOf(link) : link;
  return saysAddress(words, address) ? '' : address;
}

/** Without what a mail program is to fill in. */
function contactOf(link: string): string {
  const [address = ''] = link.replace(CONTACT, '').split('?');
  try {
    return decodeURIComponent(address).trim();
  } catch {
    return address;
  }
}

/** How many digits from the end make a phone number the same, with or without its country code. */
const SAME_DIGITS = 6;

function saysAddress(words: string, address: string): boolean {
  const bare = address.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');
  if (words.toLowerCase().includes(bare.toLowerCase())) return true;
  const isPhone = /^\+?[\d\s().-]+$/.test(address);
  return isPhone && digitsOf(words).includes(digitsOf(address).slice(-SAME_DIGITS));
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}
