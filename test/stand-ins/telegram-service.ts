import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A stand-in for Telegram's Bot API (https://core.telegram.org/bots/api): one bot, its webhook, and the messages it was
 * told to send.
 */
export interface TelegramService {
  url: string;
  token: string;
  webhook: { url: string; secret: string } | undefined;
  /** The messages people received, oldest first. */
  sent: { chatId: string; text: string; parseMode: string | undefined; preview: unknown }[];
  calls: string[];
  /** The next calls of `sendMessage`, this many, get this status. */
  failing: { status: number; times: number };
  /** Delivers an update as Telegram does; returns the response status. `secret`: a forger's. */
  deliver: (update: object, options?: { secret?: string }) => Promise<number>;
  /** A private message as an update. */
  message: (text: string, from?: { id: number; first_name: string }) => object;
  /** A private message with media, as an update. */
  media: (content: object) => object;
  /** The bot's files, by ID and path. */
  files: Map<string, Buffer>;
  /** A group message as an update. */
  groupMessage: (text: string, from?: { id: number; first_name: string }) => object;
  close: () => Promise<void>;
}

const BOT = { id: 4242, is_bot: true, first_name: 'Helper', username: 'helper_bot' };
const ada = { id: 77, first_name: 'Ada' };

export async function startTelegramService(token = '4242:stand-in'): Promise<TelegramService> {
  let updates = 1000;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [, fileOf, filePath = ''] = /^\/file\/bot([^/]+)\/(.+)$/.exec(request.url ?? '') ?? [];
    const bytes = fileOf === token ? service.files.get(filePath) : undefined;
    if (bytes) return response.writeHead(200).end(bytes);
    const given = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Record<string, never>;
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const [, bot, method = ''] = /^\/bot([^/]+)\/(\w+)/.exec(request.url ?? '') ?? [];
    if (bot !== token) return answer(401, { ok: false, error_code: 401, description: 'Unauthorized' });
    service.calls.push(method);
    if (method === 'getMe') return answer(200, { ok: true, result: BOT });
    if (method === 'setWebhook') {
      service.webhook = { url: given['url'] ?? '', secret: given['secret_token'] ?? '' };
      return answer(200, { ok: true, result: true });
    }
    if (method === 'deleteWebhook') {
      service.webhook = undefined;
      return answer(200, { ok: true, result: true });
    }
    if (method === 'getFile')
      return answer(200, { ok: true, result: { file_id: given['file_id'], file_path: given['file_id'] } });
    if (method === 'sendChatAction') return answer(200, { ok: true, result: true });
    if (service.failing.times > 0) {
      service.failing.times -= 1;
      const error_code = service.failing.status;
      return answer(error_code, { ok: false, error_code, description: 'Not now' });
    }
    service.sent.push({
      chatId: String(given['chat_id']),
      text: given['text'] ?? (given['rich_message'] ? JSON.stringify(given['rich_message']) : ''),
      parseMode: given['parse_mode'],
      preview: given['link_preview_options'],
    });
    const chat = { id: given['chat_id'], type: 'private' };
    return answer(200, {
      ok: true,
      result: { message_id: service.sent.length, date: 1, chat, from: BOT, text: given['text'] },
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const update = (message: object) => ({ update_id: (updates += 1), message: { date: 1, ...message } });
  const service: TelegramService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    webhook: undefined,
    sent: [],
    calls: [],
    failing: { status: 500, times: 0 },
    deliver: async (body, { secret = service.webhook?.secret ?? '' } = {}) => {
      const response = await fetch(service.webhook?.url ?? '', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
        body: JSON.stringify(body),
      });
      return response.status;
    },
    message: (text, from = ada) =>
      update({
        message_id: updates,
        from: { is_bot: false, ...from },
        chat: { id: from.id, type: 'private', first_name: from.first_name },
        text,
      }),
    files: new Map(),
    media: (content) =>
      update({
        message_id: updates,
        from: { is_bot: false, ...ada },
        chat: { id: ada.id, type: 'private', first_name: ada.first_name },
        ...content,
      }),
    groupMessage: (text, from = ada) =>
      update({
        message_id: updates,
        from: { is_bot: false, ...from },
        chat: { id: -100, type: 'group', title: 'Friends' },
        text,
        entities: text.startsWith('@')
          ? [{ type: 'mention', offset: 0, length: text.split(' ')[0]?.length }]
          : [],
      }),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
  return service;
}
