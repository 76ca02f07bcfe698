import { createHmac } from 'node:crypto';
import { startService } from './channel-service.ts';

/**
 * A stand-in for Meta's Graph API with one WhatsApp number, and for its webhooks
 * (https://developers.facebook.com/docs/whatsapp).
 */
export interface WhatsAppService {
  url: string;
  phoneNumberId: string;
  token: string;
  appSecret: string;
  /** Where messages are sent; a member enters it at Meta. */
  webhookUrl: string;
  sent: { to: string; body: string }[];
  read: string[];
  /** By ID; only the application may read them. */
  files: Map<string, Buffer>;
  /** Where the API says media are; its own address by default. */
  mediaUrl: string | undefined;
  /** The next messages, this many, are rejected with this code. */
  failing: { code: number; times: number };
  /** Meta checks whether the address knows the token. */
  verify: (verifyToken: string) => Promise<Response>;
  /** Delivers messages in one webhook; returns the response status. */
  deliver: (messages: object[], options?: { secret?: string; phoneNumberId?: string }) => Promise<number>;
  post: (payload: object, secret?: string) => Promise<number>;
  message: (body: string, more?: object) => { id: string };
  close: () => Promise<void>;
}

export async function startWhatsAppService(): Promise<WhatsAppService> {
  let messages = 0;
  const server = await startService(({ method, path, headers, body }) => {
    const fail = (status: number, code: number, message: string) => ({
      status,
      body: {
        error: {
          message: `(#${code}) ${message}`,
          type: 'OAuthException',
          code,
          error_data: { details: message },
        },
      },
    });
    if (headers.authorization !== `Bearer ${service.token}`)
      return fail(401, 190, 'Invalid OAuth access token.');
    const bytes = service.files.get(path.slice('/media/'.length));
    if (bytes) return { body: bytes };
    const mediaId = path.slice(1);
    if (service.files.has(mediaId))
      return { body: { id: mediaId, url: service.mediaUrl ?? `${service.url}/media/${mediaId}` } };
    if (method === 'GET')
      return {
        body: { id: service.phoneNumberId, verified_name: 'Acme', display_phone_number: '+1 555-0100' },
      };
    if (path !== `/${service.phoneNumberId}/messages`) return fail(404, 100, 'Unknown path components');
    const given = JSON.parse(body.toString()) as { to: string; text?: { body: string }; message_id: string };
    if (given.message_id) {
      service.read.push(given.message_id);
      return { body: { success: true } };
    }
    if (service.failing.times > 0) {
      service.failing.times -= 1;
      return fail(400, service.failing.code, 'Not now');
    }
    service.sent.push({ to: given.to, body: given.text?.body ?? '' });
    return { body: { messages: [{ id: `wamid.out${service.sent.length}` }] } };
  });
  const service: WhatsAppService = {
    url: server.url,
    phoneNumberId: '106540352242922',
    token: 'EAA-stand-in',
    appSecret: '0123456789abcdef0123456789abcdef',
    webhookUrl: '',
    sent: [],
    read: [],
    files: new Map(),
    mediaUrl: undefined,
    failing: { code: 131056, times: 0 },
    verify: (verifyToken) =>
      fetch(
        `${service.webhookUrl}?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${encodeURIComponent(verifyToken)}`,
      ),
    post: async (payload, secret = service.appSecret) => {
      const body = JSON.stringify(payload);
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` };
      return (await fetch(service.webhookUrl, { method: 'POST', headers, body })).status;
    },
    deliver: (given, { secret, phoneNumberId = service.phoneNumberId } = {}) => {
      const metadata = { display_phone_number: '15550100', phone_number_id: phoneNumberId };
      const contacts = [{ profile: { name: 'Ada' }, wa_id: '15550177' }];
      const value = { messaging_product: 'whatsapp', metadata, contacts, messages: given };
      const entry = [{ id: '1', changes: [{ field: 'messages', value }] }];
      return service.post({ object: 'whatsapp_business_account', entry }, secret);
    },
    message: (body, more = {}) => ({
      from: '15550177',
      id: `wamid.${(messages += 1)}`,
      timestamp: String(Math.floor(Date.now() / 1000)),
      type: 'text',
      text: { body },
      ...more,
    }),
    close: server.close,
  };
  return service;
}
