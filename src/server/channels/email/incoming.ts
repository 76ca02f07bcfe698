import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { Received } from '../channel.ts';
import { readInThread } from './read-in-thread.ts';

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

/**
 * A mail as a message. Undefined for what no person has written, what failed DMARC where the service has checked it, and what is made to
 * take long to read: it is taken and not answered. `unreadable`: it is no mail.
 */
export async function readIncoming(
  request: Request,
  ownAddress: string,
): Promise<Received | undefined | 'unreadable'> {
  const raw = await rawMailOf(request);
  if (raw === undefined) return 'unreadable';
  const mail = await readInThread(raw);
  if (mail === 'too-slow') return undefined;
  if (!mail?.from) return 'unreadable';
  const person = mail.from.address.toLowerCase();
  if (person === ownAddress || mail.isAutomatic || mail.isForged || !isAddress(person)) return undefined;
  const id = idOf(mail.messageId) || `<${hash(String(raw)).toString('hex')}@no-id>`;
  return {
    externalId: id,
    place: JSON.stringify([idOf(mail.root) || id, person, mail.subject]),
    person,
    personName: mail.from.name || person,
    text: mail.words || mail.subject,
    files: mail.files,
    isAddressed: true,
    replyTo: id,
  };
}

/** Of RFC 5321: 64 before the sign, 255 behind it. */
const ADDRESS_MAX_CHARACTERS = 320;

const isAddress = (text: string): boolean => text.length <= ADDRESS_MAX_CHARACTERS && !CONTROL.test(text);

// oxlint-disable-next-line no-control-regex -- controls are what is looked for
const CONTROL = /[\u0000-\u0020\u007f\ufffd]/;

/** An id is repeated in headers, and stands in the database: without what neither can hold. */
const idOf = (text = ''): string => text.split(CONTROL).join('').toWellFormed().slice(0, 500);

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
