import { createHash, timingSafeEqual } from 'node:crypto';
import type { ParsedMail } from 'mailparser';
import * as z from 'zod';
import type { Received } from '../channel.ts';

/** Whoever hands mail on proves it by our secret: as bearer, or as the password of basic authentication. */
export function isFromService(request: Request, secret: string): boolean {
  const [scheme = '', value = ''] = (request.headers.get('authorization') ?? '').split(' ', 2);
  const given =
    scheme.toLowerCase() === 'basic'
      ? Buffer.from(value, 'base64')
          .toString()
          .replace(/^[^:]*:/, '')
      : scheme.toLowerCase() === 'bearer'
        ? value
        : '';
  return secret !== '' && timingSafeEqual(hash(given), hash(secret));
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/** What services that receive mail send as JSON: Postmark's inbound webhook, with the whole mail in it. */
const WithRawMail = z.object({ RawEmail: z.string().min(1) });
/** Fields in which services send the whole mail in a form: SendGrid's and Mailgun's. */
const RAW_FIELDS = ['email', 'body-mime'];
const HTML_MAX_CHARACTERS = 500_000;
/** What follows is an answer's answer's answer. */
const TEXT_MAX_CHARACTERS = 20_000;

/**
 * A mail as a message. Undefined for what no person has written, or what failed DMARC where the service has checked it: it is
 * taken and not answered. `unreadable`: it is no mail.
 */
export async function readIncoming(
  request: Request,
  ownAddress: string,
): Promise<Received | undefined | 'unreadable'> {
  const raw = await rawMailOf(request);
  if (raw === undefined) return 'unreadable';
  const { simpleParser } = await import('mailparser');
  const mail = await simpleParser(raw, {
    skipImageLinks: true,
    maxHtmlLengthToParse: HTML_MAX_CHARACTERS,
  }).catch(() => undefined);
  const [from] = mail?.from?.value ?? [];
  if (!mail || !from?.address) return 'unreadable';
  const person = from.address.toLowerCase();
  if (person === ownAddress || isAutomatic(mail) || isForged(mail)) return undefined;
  const id = mail.messageId ?? `<${hash(String(raw)).toString('hex')}@no-id>`;
  const subject = subjectOf(mail);
  return {
    externalId: id.slice(0, 500),
    place: JSON.stringify([rootOf(mail) ?? id, person, subject]),
    person,
    personName: from.name || person,
    text: (await wordsOf(mail)) || subject,
    files: mail.attachments
      .filter(({ related, contentDisposition }) => !related && contentDisposition === 'attachment')
      .map(({ filename, content, contentType }) => ({
        name: filename ?? 'file',
        // It comes with the mail and can be had nowhere else.
        reference: content.toString('base64'),
        isSpoken: contentType.startsWith('audio/'),
      })),
    isAddressed: true,
    replyTo: id.slice(0, 500),
  };
}

async function rawMailOf(request: Request): Promise<Buffer | string | undefined> {
  const mediaType = request.headers.get('content-type') ?? '';
  if (/^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(mediaType)) {
    const form = await request.formData().catch(() => undefined);
    const value = RAW_FIELDS.map((name) => form?.get(name)).find((each) => each != null);
    return typeof value === 'string' ? value : value && Buffer.from(await value.arrayBuffer());
  }
  if (/^application\/json\b/i.test(mediaType))
    return WithRawMail.safeParse(await request.json().catch(() => undefined)).data?.RawEmail;
  return Buffer.from(await request.arrayBuffer());
}

/** What the person has written now, without what they answer to. */
async function wordsOf({ text: whole = '' }: ParsedMail): Promise<string> {
  const text = whole.slice(0, TEXT_MAX_CHARACTERS);
  const { default: EmailReplyParser } = await import('email-reply-parser');
  const written = new EmailReplyParser().read(text).getVisibleText().trim();
  return written || text.trim();
}

/** Out of office, bounces, lists: answering them would be talking to machines, and they might answer. */
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

/** Without the marks of answers, so that a thread keeps its name. */
function subjectOf({ subject = '' }: ParsedMail): string {
  let bare = subject.trim().slice(0, 300);
  for (let match = ANSWERED.exec(bare); match; match = ANSWERED.exec(bare))
    bare = bare.slice(match[0].length);
  return bare;
}

/** As clients write it in the languages in which most mail is written. */
const ANSWERED = /^(re|aw|sv|antw|fw|fwd|wg|tr|rv|res|ref|odp|vs|回复|答复):\s{0,9}/i;
