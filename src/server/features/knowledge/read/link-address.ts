/** The address to write after a link's words; empty if there is none to write. */
export type AddressAfter = (words: string, href: string) => string;

const CONTACT = /^(?:mailto|tel):/i;
const WEB = /^https?:/i;
/** Longer ones carry a session or a whole form. */
const ADDRESS_MAX_CHARACTERS = 500;

/** A file's link: nobody who reads about it elsewhere can follow it. */
export const addressInFile: AddressAfter = (words, href) => writtenAfter(words, href.trim());

/**
 * A page's link, from the page's address. Most are left out: the page can be opened, and they would be half of its text.
 * But without its address a link to a person, or one whose words are just `here`, says nothing.
 */
export function addressOnPage(base: string | undefined): AddressAfter {
  return (words, href) => {
    const link = URL.parse(href.trim(), base)?.href ?? '';
    return CONTACT.test(link) || isPointer(words) ? writtenAfter(words, link) : '';
  };
}

function writtenAfter(words: string, link: string): string {
  const isContact = CONTACT.test(link);
  if (link.length > ADDRESS_MAX_CHARACTERS || !(isContact || WEB.test(link))) return '';
  const address = isContact ? contactOf(link) : link;
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

/** Words that only point, in the languages that the fallback text is in. */
const pointers = new Set(
  `here|click here|right here|this page|this link|this form|link
  |hier|hier klicken|klicken sie hier|diese seite|dieser seite|diesem link|diesen link|dieses formular
  |ici|cliquez ici|cliquer ici|cette page|ce lien|lien|ce formulaire
  |aquí|clic aquí|haz clic aquí|haga clic aquí|pincha aquí|esta página|este enlace|enlace|este formulario
  |aqui|clique aqui|este link|nesta página|qui|clicca qui|questa pagina|questo link
  |klik hier|deze pagina|deze link|tutaj|tu|kliknij tutaj|tej stronie|ten link|zde|klikněte zde|této stránce|tady|sem
  |här|klicka här|länk|her|klik her|klikk her|tästä|tässä|täältä|täällä|itt|ide|kattintson ide|ezen az oldalon
  |aici|click aici|apasă aici|tukaj|ovdje|ovde|buraya|burada|buradan|buraya tıklayın|bu sayfa
  |здесь|тут|сюда|по ссылке|по этой ссылке|ссылка|за посиланням|тук|εδώ|πατήστε εδώ
  |هنا|اضغط هنا|انقر هنا|من هنا|כאן|לחצו כאן|לחץ כאן|اینجا|اینجا کلیک کنید|यहाँ|यहां|यहाँ क्लिक करें|यहां क्लिक करें|এখানে
  |这里|這裡|此处|此處|点击这里|點擊這裡|点此|點此|链接|連結|こちら|ここ|こちらをクリック|こちらから|こちらのページ
  |여기|여기를 클릭|이곳|링크|ที่นี่|คลิกที่นี่|tại đây|ở đây|đây|di sini|klik di sini|sini`
    .split('|')
    .map((words) => words.trim()),
);

function isPointer(words: string): boolean {
  return pointers.has(
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{M}]+/gu, ' ')
      .trim(),
  );
}
