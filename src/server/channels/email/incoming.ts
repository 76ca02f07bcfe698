import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { Received } from '../channel.ts';
import { readInThread } from './read-in-thread.ts';

/** The forwarding service authenticates itself with our secret: as a bearer token, or as the password of basic authentication. */
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

/** The JSON sent by mail receiving services: Postmark's inbound webhook, with the whole mail in it. */
const WithRawMail = z.object({ RawEmail: z.string().min(1) });
/** Form fields in which services send the whole mail: SendGrid's and Mailgun's. */
const RAW_FIELDS = ['email', 'body-mime'];

/**
 * Converts a mail to a message. Undefined for mail that no person wrote, that failed DMARC where the service checked
 * it, or that is crafted to be slow to parse: it is accepted but not answered. `unreadable`: it isn't a mail.
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

/** From RFC 5321: 64 before the `@`, 255 after it. */
const ADDRESS_MAX_CHARACTERS = 320;

const isAddress = (text: string): boolean => text.length <= ADDRESS_MAX_CHARACTERS && !CONTROL.test(text);

// oxlint-disable-next-line no-control-regex -- controls are what is looked for
const CONTROL = /[\u0000-\u0020\u007f\ufffd]/;

/** An id is repeated in headers and stored in the database: remove what either can't hold. */
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
