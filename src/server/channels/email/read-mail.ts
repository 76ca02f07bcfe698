import type { ParsedMail } from 'mailparser';
import type { ReceivedFile } from '../channel.ts';

const HTML_MAX_CHARACTERS = 500_000;
/** Anything beyond is a reply to a reply to a reply. */
const TEXT_MAX_CHARACTERS = 20_000;

/** The parts of a mail that are needed. */
export interface ReadMail {
  from: { address: string; name: string } | undefined;
  messageId: string | undefined;
  /** The mail that started the thread, unless it is this one. */
  root: string | undefined;
  subject: string;
  words: string;
  files: ReceivedFile[];
  isAutomatic: boolean;
  isForged: boolean;
}

/**
 * Run this in its own thread (`read-in-thread.ts`): a crafted mail can keep a parser busy indefinitely. Throws if it
 * isn't a mail.
 */
export async function readMail(raw: Uint8Array | string): Promise<ReadMail> {
  const { simpleParser } = await import('mailparser');
  const mail = await simpleParser(typeof raw === 'string' ? raw : Buffer.from(raw), {
    skipImageLinks: true,
    maxHtmlLengthToParse: HTML_MAX_CHARACTERS,
  });
  const [from] = mail.from?.value ?? [];
  return {
    from: from?.address ? { address: from.address, name: from.name } : undefined,
    messageId: mail.messageId,
    root: rootOf(mail),
    subject: subjectOf(mail),
    words: await wordsOf(mail),
    files: filesOf(mail),
    isAutomatic: isAutomatic(mail),
    isForged: isForged(mail),
  };
}

function filesOf({ attachments }: ParsedMail): ReceivedFile[] {
  return attachments
    .filter(({ related, contentDisposition }) => !related && contentDisposition === 'attachment')
    .map(({ filename, content, contentType }) => ({
      name: filename ?? 'file',
      // It is part of the mail and available nowhere else.
      reference: content.toString('base64'),
      isSpoken: contentType.startsWith('audio/'),
    }));
}

/** What the person wrote this time, without the quoted text. */
async function wordsOf({ text: whole = '' }: ParsedMail): Promise<string> {
  const text = whole.slice(0, TEXT_MAX_CHARACTERS);
  const { default: EmailReplyParser } = await import('email-reply-parser');
  const written = new EmailReplyParser().read(text).getVisibleText().trim();
  return written || text.trim();
}

/** Out-of-office replies, bounces, lists: answering them would mean talking to machines, which might reply. */
function isAutomatic({ headers }: ParsedMail): boolean {
  const of = (name: string) => headerOf(headers, name).toLowerCase();
  return (
    (headers.has('auto-submitted') && of('auto-submitted') !== 'no') ||
    /^(bulk|list|junk|auto_reply)$/.test(of('precedence')) ||
    headers.has('list') ||
    headers.has('x-autoreply') ||
    headers.has('x-failed-recipients') ||
    contentTypeOf(headers) === 'multipart/report'
  );
}

function headerOf(headers: ParsedMail['headers'], name: string): string {
  const value = headers.get(name);
  const lines = Array.isArray(value) ? value : [value];
  return lines.filter((line) => typeof line === 'string').join('\n');
}

function contentTypeOf(headers: ParsedMail['headers']): string {
  const type = headers.get('content-type');
  return typeof type === 'object' && 'value' in type && typeof type.value === 'string'
    ? type.value.toLowerCase()
    : '';
}

function isForged({ headers }: ParsedMail): boolean {
  return /\bdmarc=fail\b/i.test(headerOf(headers, 'authentication-results'));
}

function rootOf({ references, inReplyTo }: ParsedMail): string | undefined {
  const [first] = Array.isArray(references) ? references : (references?.split(/\s+/) ?? []);
  return (first ?? inReplyTo)?.slice(0, 500);
}

/** Without reply prefixes, so that a thread keeps its subject. */
function subjectOf({ subject = '' }: ParsedMail): string {
  let bare = subject.trim().slice(0, 300);
  for (let match = ANSWERED.exec(bare); match; match = ANSWERED.exec(bare))
    bare = bare.slice(match[0].length);
  return bare;
}

/** The reply prefixes of clients in the most common languages. */
const ANSWERED = /^(re|aw|sv|antw|fw|fwd|wg|tr|rv|res|ref|odp|vs|回复|答复):\s{0,9}/i;
