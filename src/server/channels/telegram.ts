import type { Adapter } from 'chat';
import * as z from 'zod';
import { AppError } from '../app-error.ts';
import { operatorFetch } from '../egress/operator-fetch.ts';
import type { Channel } from './channel.ts';
import { silent, speakBy } from './chat-sdk.ts';

/** Of the Bot API's `sendMessage`, with room for what formatting adds. */
const PART_MAX_CHARACTERS = 3500;
const Answer = z.object({
  ok: z.boolean(),
  description: z.string().optional(),
  result: z.unknown().optional(),
});
const Me = z.object({ username: z.string().min(1).max(100) });

/**
 * A bot of Telegram. Its service proves itself by a secret of ours that it sends with everything. `apiUrl` is the Bot API's,
 * as the operator says (https://core.telegram.org/bots/api, also one of their own).
 */
export function createTelegram({ apiUrl }: { apiUrl: string }): Channel {
  return {
    ownSecrets: ['webhookSecret'],
    open: ({ credentials: { botToken = '', webhookSecret = '' } }) => {
      const call = (method: string, parameters: object) => callBot(apiUrl, botToken, method, parameters);
      const load = async () => {
        const { createTelegramAdapter } = await import('@chat-adapter/telegram');
        const account = { botToken, secretToken: webhookSecret, apiUrl };
        return createTelegramAdapter({ ...account, mode: 'webhook', logger: silent }) as Adapter;
      };
      return {
        partMaxCharacters: PART_MAX_CHARACTERS,
        ...speakBy(load),
        connect: async (url) => {
          const { username } = Me.parse(await call('getMe', {}));
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

async function callBot(apiUrl: string, token: string, method: string, parameters: object): Promise<unknown> {
  const response = await operatorFetch(`${apiUrl}/bot${token}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(parameters),
  }).catch((cause: unknown) => {
    throw new AppError('channel/unavailable', 'Telegram cannot be reached.', { cause });
  });
  const answer = Answer.safeParse(await response.json().catch(() => undefined));
  if (!answer.success)
    throw new AppError('channel/unavailable', 'Telegram gave an answer that cannot be read.');
  if (!answer.data.ok)
    throw new AppError('channel/refused', `Telegram said: ${answer.data.description ?? response.status}`);
  return answer.data.result;
}
