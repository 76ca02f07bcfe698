import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { AppError } from '../app-error.ts';
import type { Egress } from '../egress/egress.ts';
import { askService, jsonRequest, understood } from './ask-service.ts';
import { jsonOf, refusal, type Channel, type OpenChannel, type Receipt, type Received } from './channel.ts';
import { readForeignFile } from './read-file.ts';
import { saysAll, toStars, type StarMarkup } from './star-markup.ts';

/** Out of 4096, leaving room for formatting and sources. */
const PART_MAX_CHARACTERS = 3500;
/** WhatsApp accepts an answer only this long, so older messages aren't worth answering. */
const WINDOW_SECONDS = 24 * 3600;
/** The typing indicator expires after 25 s. */
const TYPING_EVERY_MS = 20_000;
const WINDOW_IS_OVER = 131_047;
/** Limits of the application, the account, the number, and messages to one person. */
const TOO_MANY = [4, 80_007, 130_429, 131_048, 131_056];

const File = z.object({
  id: z.string().min(1),
  filename: z.string().optional(),
  caption: z.string().optional(),
});
const Media = z.object({ url: z.string() });
const Message = z.object({
  id: z.string().min(1),
  /** The phone number; people who hide theirs have an id instead. */
  from: z.string().min(1).optional(),
  from_user_id: z.string().min(1).optional(),
  timestamp: z.string(),
  text: z.object({ body: z.string() }).optional(),
  button: z.object({ text: z.string() }).optional(),
  image: File.optional(),
  document: File.optional(),
  audio: File.optional(),
  video: File.optional(),
});
type Message = z.infer<typeof Message>;
const Value = z.object({
  metadata: z.object({ phone_number_id: z.string() }),
  contacts: z
    .array(
      z.object({
        wa_id: z.string().optional(),
        user_id: z.string().optional(),
        profile: z.object({ name: z.string() }).optional(),
      }),
    )
    .default([]),
  /** A message of an unknown kind is skipped without losing the others. */
  messages: z.array(z.unknown()).default([]),
});
type Value = z.infer<typeof Value>;
const Notice = z.object({
  entry: z.array(z.object({ changes: z.array(z.object({ value: z.unknown() })) })),
});
const PhoneNumber = z.object({ display_phone_number: z.string(), verified_name: z.string().optional() });
const Failure = z.object({
  error: z.object({
    message: z.string(),
    code: z.number().optional(),
    error_data: z.object({ details: z.string() }).optional(),
  }),
});

/**
 * A number on WhatsApp's Cloud API. Meta authenticates itself with a signature over the content that includes no time:
 * duplicates are recognized by the message's id, and a message older than a day can't be answered there. What the Chat
 * SDK's adapter adds depends on a store of its own, so it isn't used.
 */
export function createWhatsApp({ apiUrl, egress }: { apiUrl: string; egress: Egress }): Channel {
  return {
    ownSecrets: ['verifyToken'],
    verifyToken: 'verifyToken',
    open: ({ settings, credentials: { accessToken = '', appSecret = '', verifyToken = '' } }) => {
      const phoneNumberId = String(settings['phoneNumberId']);
      const post = (body: object) =>
        callGraph(`${apiUrl}/${phoneNumberId}/messages`, accessToken, {
          messaging_product: 'whatsapp',
          ...body,
        });
      return {
        partMaxCharacters: PART_MAX_CHARACTERS,
        receive: async (request) =>
          request.method === 'GET'
            ? verified(new URL(request.url).searchParams, verifyToken)
            : receive(request, { appSecret, phoneNumberId }),
        send: async ({ place }, markdown) => {
          const body = await toStars(markdown, whatsAppMarkup);
          const to = /^\d+$/.test(place) ? { to: place } : { recipient: place };
          await post({
            recipient_type: 'individual',
            ...to,
            type: 'text',
            text: { body, preview_url: false },
          });
        },
        showTyping: createTyping(post),
        readFile: async (mediaId) => {
          const found = await callGraph(`${apiUrl}/${encodeURIComponent(mediaId)}`, accessToken);
          const { url } = understood('WhatsApp', Media, found);
          return readForeignFile(egress, url, { token: accessToken, isOwn: isOfMeta(url, apiUrl) });
        },
        connect: async () => {
          const fields = 'fields=display_phone_number,verified_name';
          const found = await callGraph(`${apiUrl}/${phoneNumberId}?${fields}`, accessToken);
          const { display_phone_number, verified_name } = understood('WhatsApp', PhoneNumber, found);
          return { accountName: [verified_name, display_phone_number].filter(Boolean).join(' ') };
        },
        // What Meta sends is configured at Meta.
        leave: async () => undefined,
      };
    },
  };
}

/** Shows the indicator on the message being answered, which also marks it as read. */
function createTyping(post: (body: object) => Promise<unknown>): OpenChannel['showTyping'] {
  let last = { messageId: '', at: 0 };
  return async ({ replyTo: messageId }) => {
    const now = Date.now();
    if (!messageId || (last.messageId === messageId && now - last.at < TYPING_EVERY_MS)) return;
    last = { messageId, at: now };
    const read = { status: 'read', message_id: messageId, typing_indicator: { type: 'text' } };
    await post(read).catch(() => undefined);
  };
}

/** Meta checks once that the address is ours; the token is the one a member has given it. */
function verified(asked: URLSearchParams, verifyToken: string): Receipt {
  const isOurs = asked.get('hub.mode') === 'subscribe' && isSame(asked.get('hub.verify_token'), verifyToken);
  return isOurs ? { response: new Response(asked.get('hub.challenge')), messages: [] } : refusal(401);
}

async function receive(
  request: Request,
  { appSecret, phoneNumberId }: { appSecret: string; phoneNumberId: string },
): Promise<Receipt> {
  const body = Buffer.from(await request.arrayBuffer());
  const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
  if (!isSame(request.headers.get('x-hub-signature-256'), signature)) return refusal(401);
  const notice = Notice.safeParse(jsonOf(body.toString()));
  if (!notice.success) return refusal(400);
  // An application's webhook may receive the messages of all its numbers.
  const values = notice.data.entry
    .flatMap(({ changes }) => changes.map(({ value }) => Value.safeParse(value).data))
    .filter((value) => value?.metadata.phone_number_id === phoneNumberId);
  return { response: new Response(), messages: values.flatMap((value) => (value ? messagesIn(value) : [])) };
}

function messagesIn({ messages, contacts }: Value): Received[] {
  return messages.flatMap((each) => {
    const message = Message.safeParse(each).data;
    const person = message?.from ?? message?.from_user_id;
    if (!message || !person || Date.now() / 1000 - Number(message.timestamp) > WINDOW_SECONDS) return [];
    const contact = contacts.find(({ wa_id, user_id }) => person === wa_id || person === user_id);
    const personName = contact?.profile?.name ?? person;
    const { id } = message;
    return [
      {
        externalId: id,
        replyTo: id,
        place: person,
        person,
        personName,
        isAddressed: true,
        ...contentOf(message),
      },
    ];
  });
}

function contentOf({
  text,
  button,
  image,
  document,
  audio,
  video,
}: Message): Pick<Received, 'text' | 'files'> {
  const files = Object.entries({ image, document, audio, video }).flatMap(([kind, file]) =>
    file ? [{ name: file.filename ?? kind, reference: file.id, isSpoken: kind === 'audio' }] : [],
  );
  const said = text?.body ?? button?.text ?? image?.caption ?? document?.caption ?? video?.caption ?? '';
  return { text: said.trim(), files };
}

/** Hosts that may receive the token: the API, and Meta's media hosts. */
function isOfMeta(url: string, apiUrl: string): boolean {
  const { protocol, hostname = '', origin } = URL.parse(url) ?? {};
  const isMedia = ['.fbsbx.com', '.fbcdn.net'].some((end) => hostname.endsWith(end));
  return origin === new URL(apiUrl).origin || (protocol === 'https:' && isMedia);
}

function isSame(given: string | null, wanted: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(wanted)];
  return wanted !== '' && a.length === b.length && timingSafeEqual(a, b);
}

const whatsAppMarkup: StarMarkup = {
  escape: (text) => text,
  link: (url, label) => (saysAll(label, url) ? label : `${label} (${url})`),
};

async function callGraph(url: string, token: string, content?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}` };
  const request = content ? jsonRequest('POST', content, headers) : { headers };
  const { status, body } = await askService('WhatsApp', url, request);
  if (status < 400) return body;
  const { code = 0, message = String(status), error_data } = Failure.safeParse(body).data?.error ?? {};
  if (TOO_MANY.includes(code)) throw new AppError('channel/unavailable', 'WhatsApp asks to be called later.');
  throw new AppError(
    'channel/refused',
    code === WINDOW_IS_OVER
      ? "WhatsApp accepts an answer only within 24 hours of the person's last message."
      : `WhatsApp said: ${error_data?.details ?? message}`,
  );
}
