import type { TelegramAdapter } from '@chat-adapter/telegram';
import type { Adapter } from 'chat';
import * as z from 'zod';
import { AppError } from '../app-error.ts';
import { askService, jsonRequest, understood } from './ask-service.ts';
import type { Channel } from './channel.ts';
import { silent, speakBy } from './chat-sdk.ts';
import { asCode, isIntricate } from './intricate.ts';
import { readOwnFile } from './read-file.ts';

/** Below the limit of the Bot API's `sendMessage`, leaving room for formatting. */
const PART_MAX_CHARACTERS = 3500;
const Answer = z.object({
  ok: z.boolean(),
  description: z.string().optional(),
  result: z.unknown().optional(),
});
/** A path that can't lead outside the bot's own files. */
const BotFile = z.object({ file_path: z.string().regex(/^(?!.*\.\.)[\w./-]+$/) });
const Me = z.object({ username: z.string().min(1).max(100) });

/**
 * A Telegram bot. The service authenticates itself with a secret of ours that it includes in every request. `apiUrl` is
 * the Bot API's, as set by the operator (https://core.telegram.org/bots/api, or their own server).
 */
export function createTelegram({ apiUrl }: { apiUrl: string }): Channel {
  return {
    ownSecrets: ['webhookSecret'],
    open: ({ credentials: { botToken = '', webhookSecret = '' } }) => {
      const call = (method: string, parameters: object) => callBot(apiUrl, botToken, method, parameters);
      const load = async () => {
        const { TelegramAdapter } = await import('@chat-adapter/telegram');
        const Careful = careful(TelegramAdapter);
        const account = { botToken, secretToken: webhookSecret, apiUrl };
        return new Careful({ ...account, mode: 'webhook', logger: silent }) as Adapter;
      };
      return {
        partMaxCharacters: PART_MAX_CHARACTERS,
        ...speakBy(load),
        readFile: async (fileId) => {
          const { file_path } = understood('Telegram', BotFile, await call('getFile', { file_id: fileId }));
          return readOwnFile('Telegram', `${apiUrl}/file/bot${botToken}/${file_path}`);
        },
        connect: async (url) => {
          const { username } = understood('Telegram', Me, await call('getMe', {}));
          await call('setWebhook', { url, secret_token: webhookSecret, allowed_updates: ['message'] });
          return { accountName: `@${username}` };
        },
        leave: async () => {
          await call('deleteWebhook', {});
        },
      };
    },
  };
}

/**
 * Telegram fetches none of the pages an answer links to, whatever the address contains. And people's messages aren't
 * scanned for formatting that takes seconds to parse.
 */
function careful(Base: typeof TelegramAdapter) {
  return class extends Base {
    constructor(...config: ConstructorParameters<typeof TelegramAdapter>) {
      super(...config);
      const read = this.formatConverter.toAst.bind(this.formatConverter);
      this.formatConverter.toAst = (text) => read(isIntricate(text) ? asCode(text) : text);
    }

    protected override telegramFetch<Result>(
      ...[method, payload, request]: Parameters<TelegramAdapter['telegramFetch']>
    ): Promise<Result> {
      const isMessage = method.startsWith('send') && !(payload instanceof FormData);
      const quiet = isMessage ? { ...payload, link_preview_options: { is_disabled: true } } : payload;
      return super.telegramFetch<Result>(method, quiet, request);
    }
  };
}

async function callBot(apiUrl: string, token: string, method: string, parameters: object): Promise<unknown> {
  const { status, body } = await askService(
    'Telegram',
    `${apiUrl}/bot${token}/${method}`,
    jsonRequest('POST', parameters),
  );
  const { ok, description, result } = understood('Telegram', Answer, body);
  if (!ok) throw new AppError('channel/refused', `Telegram said: ${description ?? status}`);
  return result;
}
