import { createHmac } from 'node:crypto';
import { startService } from './channel-service.ts';

/** How a stand-in delivers: authentically, as a forger, or too late. */
interface Delivery {
  secret?: string;
  /** Seconds ago. */
  age?: number;
  retry?: number;
}

/** A stand-in for Slack: the Web API of one bot, and the Events API with its signature (https://docs.slack.dev). */
export interface SlackService {
  url: string;
  token: string;
  signingSecret: string;
  /** Where events are sent; a member enters it at Slack. */
  webhookUrl: string;
  sent: { channel: string; threadTs: string | undefined; text: string; parse: string | undefined }[];
  calls: string[];
  /** By path; only the bot may read them. */
  files: Map<string, Buffer>;
  failing: { error: string; times: number };
  /** Returns the response to an event or to the challenge. */
  post: (payload: object, delivery?: Delivery) => Promise<Response>;
  /** Returns the response status for a person's message. */
  deliver: (event: object, delivery?: Delivery) => Promise<number>;
  direct: (text: string, more?: object) => object;
  inChannel: (text: string, more?: object) => object;
  mention: (text: string, more?: object) => object;
  close: () => Promise<void>;
}

const BOT = 'U0BOT';

export async function startSlackService(): Promise<SlackService> {
  let messages = 0;
  const server = await startService(({ path, headers, body }) => {
    const method = path.slice(1);
    const given = Object.fromEntries(new URLSearchParams(body.toString()));
    if (headers.authorization !== `Bearer ${service.token}`)
      return { body: { ok: false, error: 'invalid_auth' } };
    service.calls.push(method);
    const bytes = service.files.get(path);
    if (bytes) return { body: bytes };
    if (method === 'auth.test') return { body: { ok: true, team: 'Acme', user: 'helper', user_id: BOT } };
    if (method === 'users.info') {
      const user = { id: given['user'], name: 'ada', profile: { display_name: 'Ada' } };
      return { body: { ok: true, user } };
    }
    if (method !== 'chat.postMessage') return { body: { ok: true } };
    if (service.failing.times > 0) {
      service.failing.times -= 1;
      return { body: { ok: false, error: service.failing.error } };
    }
    const { channel = '', thread_ts: threadTs, text = '', parse } = given;
    service.sent.push({ channel, threadTs, text, parse });
    return { body: { ok: true, channel, ts: `1.${service.sent.length}` } };
  });
  const written = (event: object) => ({
    type: 'message',
    user: 'U77',
    ts: `1700000000.${String((messages += 1)).padStart(6, '0')}`,
    ...event,
  });
  const service: SlackService = {
    url: server.url,
    token: 'xoxb-stand-in',
    signingSecret: '8f742231b10e8888abcd99yyyzzz85a5',
    webhookUrl: '',
    sent: [],
    calls: [],
    files: new Map(),
    failing: { error: 'internal_error', times: 0 },
    post: (payload, { secret = service.signingSecret, age = 0, retry } = {}) => {
      const body = JSON.stringify(payload);
      const at = String(Math.floor(Date.now() / 1000) - age);
      const signature = createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex');
      const headers: Record<string, string> = {
        'content-type': 'application/json',
        'x-slack-request-timestamp': at,
        'x-slack-signature': `v0=${signature}`,
      };
      if (retry !== undefined) headers['x-slack-retry-num'] = String(retry);
      return fetch(service.webhookUrl, { method: 'POST', headers, body });
    },
    deliver: async (event, delivery) => {
      const authorizations = [{ team_id: 'T1', user_id: BOT, is_bot: true }];
      const payload = { type: 'event_callback', team_id: 'T1', event_id: 'Ev1', authorizations, event };
      return (await service.post(payload, delivery)).status;
    },
    direct: (text, more) => written({ channel: 'D1', channel_type: 'im', text, ...more }),
    inChannel: (text, more) => written({ channel: 'C1', channel_type: 'channel', text, ...more }),
    mention: (text, more) =>
      written({ type: 'app_mention', channel: 'C1', text: `<@${BOT}> ${text}`, ...more }),
    close: server.close,
  };
  return service;
}
