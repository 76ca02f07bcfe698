import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { startService } from './channel-service.ts';

interface Delivery {
  /** Signed by somebody else. */
  isForged?: boolean;
  /** Seconds ago. */
  age?: number;
}

/** A stand-in for Discord's API and its interactions (https://docs.discord.com/developers/interactions). */
export interface DiscordService {
  url: string;
  applicationId: string;
  publicKey: string;
  token: string;
  /** Where interactions are sent, once Discord has verified that it tells valid signatures from invalid ones. */
  endpoint: string | null;
  commands: { name: string; options: { name: string }[] }[];
  sent: { token: string; content: string; isOriginal: boolean; mentions: unknown; flags: unknown }[];
  /** By path; their address is all it takes to read them. */
  files: Map<string, Buffer>;
  failing: { status: number; times: number };
  post: (interaction: object, delivery?: Delivery) => Promise<Response>;
  /** Somebody types `/ask`; returns the status and the answer to Discord. */
  deliver: (interaction: object, delivery?: Delivery) => Promise<{ status: number; type?: number }>;
  ask: (question: string, more?: object, secondsAgo?: number) => { id: string; token: string };
  close: () => Promise<void>;
}

const applicationId = '1200000000000000001';
const ada = { id: '77', username: 'ada', global_name: 'Ada' };

export async function startDiscordService(): Promise<DiscordService> {
  const own = generateKeyPairSync('ed25519');
  const other = generateKeyPairSync('ed25519');
  const publicKey = own.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  /** Tokens of interactions for which Discord was promised an answer. */
  const promised = new Set<string>();
  let interactions = 0n;
  const server = await startService(async ({ method, path, headers, body }) => {
    const bytes = service.files.get(path);
    if (bytes) return { body: bytes };
    const given = JSON.parse(body.toString() || '{}') as Record<string, never>;
    const [, token, isOriginal] =
      new RegExp(`^/webhooks/${applicationId}/([^/]+)(/messages/@original)?$`).exec(path) ?? [];
    if (token !== undefined) {
      if (!promised.has(token)) return { status: 404, body: { message: 'Unknown Webhook', code: 10015 } };
      if (service.failing.times > 0) {
        service.failing.times -= 1;
        return { status: service.failing.status, body: { message: 'Not now', code: 0 } };
      }
      const { content = '', allowed_mentions: mentions, flags } = given;
      service.sent.push({ token, content, isOriginal: isOriginal !== undefined, mentions, flags });
      return { body: { id: String(service.sent.length) } };
    }
    if (headers.authorization !== `Bot ${service.token}`)
      return { status: 401, body: { message: '401: Unauthorized', code: 0 } };
    if (path === `/applications/${applicationId}/commands`) {
      service.commands = given as never;
      return { body: given };
    }
    if (method === 'PATCH') {
      const wanted: string | null = given['interactions_endpoint_url'] ?? null;
      if (wanted !== null && !(await knowsSignatures(wanted))) return { status: 400, body: notVerified };
      service.endpoint = wanted;
    }
    return { body: { id: applicationId, name: 'Helper', verify_key: publicKey } };
  });
  const signed = async (url: string, interaction: object, key: KeyObject, age = 0) => {
    const body = JSON.stringify(interaction);
    const at = String(Math.floor(Date.now() / 1000) - age);
    const headers = {
      'content-type': 'application/json',
      'x-signature-timestamp': at,
      'x-signature-ed25519': sign(null, Buffer.from(at + body), key).toString('hex'),
    };
    return fetch(url, { method: 'POST', headers, body });
  };
  const knowsSignatures = async (url: string) => {
    const ping = { id: '1', type: 1, token: 'ping', application_id: applicationId };
    const [good, bad] = await Promise.all([
      signed(url, ping, own.privateKey),
      signed(url, ping, other.privateKey),
    ]);
    return good.status === 200 && ((await good.json()) as { type: number }).type === 1 && bad.status === 401;
  };
  const service: DiscordService = {
    url: server.url,
    applicationId,
    publicKey,
    token: 'discord-stand-in',
    endpoint: null,
    commands: [],
    sent: [],
    files: new Map(),
    failing: { status: 503, times: 0 },
    post: (interaction, { isForged = false, age } = {}) =>
      signed(service.endpoint ?? '', interaction, (isForged ? other : own).privateKey, age),
    deliver: async (interaction, delivery) => {
      const response = await service.post(interaction, delivery);
      if (response.status !== 200) return { status: response.status };
      const { type } = (await response.json()) as { type: number };
      if (type === 5) promised.add((interaction as { token: string }).token);
      return { status: 200, type };
    },
    ask: (question, more = {}, secondsAgo = 0) => {
      const atMs = BigInt(Date.now() - secondsAgo * 1000) - 1_420_070_400_000n;
      const id = String((atMs << 22n) + (interactions += 1n));
      const data = { name: 'ask', type: 1, options: [{ name: 'question', type: 3, value: question }] };
      const common = { application_id: applicationId, channel_id: '500', member: { user: ada }, data };
      return { id, type: 2, token: `token-${id}`, ...common, ...more };
    },
    close: server.close,
  };
  return service;
}

const notVerified = {
  code: 50035,
  message: 'Invalid Form Body',
  errors: {
    interactions_endpoint_url: {
      _errors: [
        {
          code: 'APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID',
          message: 'The specified interactions endpoint url could not be verified.',
        },
      ],
    },
  },
};
