import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { AppError } from '../app-error.ts';
import type { Egress } from '../egress/egress.ts';
import { askService, jsonRequest, understood } from './ask-service.ts';
import {
  jsonOf,
  refusal,
  type Channel,
  type Destination,
  type Receipt,
  type ReceivedFile,
} from './channel.ts';
import { readForeignFile } from './read-file.ts';
import { toDiscord } from './discord-markdown.ts';

/** Leaves room for what drawing tables and spelling out addresses adds. */
const PART_MAX_CHARACTERS = 1800;
const MESSAGE_MAX_CHARACTERS = 2000;
const SIGNATURE_MAX_AGE_SECONDS = 300;
/** How long Discord accepts an answer to a command. */
const ANSWER_MAX_AGE_MS = 15 * 60_000;
/** For this long Discord may not yet have processed our promise of an answer. */
const BEGINNING_MS = 10_000;
const BEGINNING_WAIT_MS = 700;
const DISCORD_EPOCH_MS = 1_420_070_400_000n;

const PING = 1;
const COMMAND = 2;
const MESSAGE_NOW = 4;
const MESSAGE_LATER = 5;
const TEXT_OPTION = 3;
const FILE_OPTION = 11;
const ONLY_FOR_THE_PERSON = 64;
/** Otherwise Discord fetches every page an answer links to, whatever its address contains. */
const WITHOUT_PREVIEWS = 4;

const Person = z.object({ id: z.string().min(1), username: z.string(), global_name: z.string().nullish() });
const Interaction = z.object({
  id: z.string().regex(/^\d{1,25}$/),
  type: z.number(),
  token: z.string().min(1),
  channel_id: z.string().optional(),
  member: z.object({ user: Person }).optional(),
  user: Person.optional(),
  data: z
    .object({
      name: z.string(),
      options: z
        .array(z.object({ name: z.string(), value: z.union([z.string(), z.number(), z.boolean()]) }))
        .default([]),
      /** By the option's id. */
      resolved: z
        .object({
          attachments: z
            .record(
              z.string(),
              z.object({ filename: z.string(), url: z.string(), content_type: z.string().optional() }),
            )
            .default({}),
        })
        .optional(),
    })
    .optional(),
});
type Interaction = z.infer<typeof Interaction>;
const Application = z.object({ id: z.string(), name: z.string(), verify_key: z.string() });
const Failure = z.object({ message: z.string(), errors: z.unknown().optional() });

/** The commands people address the agent with; Discord wants all of an application's commands at once. */
const commands = [
  {
    name: 'ask',
    description: 'Ask the agent',
    options: [
      { type: TEXT_OPTION, name: 'question', description: 'Your question', required: true },
      { type: FILE_OPTION, name: 'file', description: 'A picture or a document', required: false },
    ],
  },
];

/**
 * A Discord application, by interactions over HTTP: people ask with `/ask`. Discord authenticates itself with a
 * signature over the content and the time; anything older than five minutes is rejected. It is promised an answer
 * immediately, which is delivered using the token it sent, valid for 15 minutes. The Chat SDK's adapter keeps that
 * token only in the process's memory, so it isn't used.
 */
export function createDiscord({ apiUrl, egress }: { apiUrl: string; egress: Egress }): Channel {
  return {
    ownSecrets: [],
    open: ({ settings, credentials: { botToken = '' } }) => {
      const applicationId = String(settings['applicationId']);
      const publicKey = String(settings['publicKey']);
      const key = keyOf(publicKey);
      const call = (method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: unknown) =>
        callDiscord(`${apiUrl}${path}`, method, body, botToken);
      return {
        partMaxCharacters: PART_MAX_CHARACTERS,
        receive: (request) => receive(request, key),
        send: async (to, markdown) => {
          const content = await toDiscord(markdown, MESSAGE_MAX_CHARACTERS);
          const quiet = { flags: WITHOUT_PREVIEWS, allowed_mentions: { parse: [] } };
          await bring(apiUrl, applicationId, to, { content, ...quiet });
        },
        // Discord itself shows that an answer is coming.
        showTyping: async () => undefined,
        // The address is signed and needs no further authentication.
        readFile: (url) => readForeignFile(egress, url, { token: '', isOwn: false }),
        connect: async (url) => {
          const { id, name, verify_key } = understood(
            'Discord',
            Application,
            await call('GET', '/applications/@me'),
          );
          if (id !== applicationId || verify_key !== publicKey)
            throw new AppError('channel/refused', 'This token belongs to another application.');
          await call('PUT', `/applications/${applicationId}/commands`, commands);
          await call('PATCH', '/applications/@me', { interactions_endpoint_url: url });
          return { accountName: name.slice(0, 100) };
        },
        leave: async () => {
          await call('PATCH', '/applications/@me', { interactions_endpoint_url: null });
          await call('PUT', `/applications/${applicationId}/commands`, []);
        },
      };
    },
  };
}

async function receive(request: Request, key: KeyObject): Promise<Receipt> {
  const body = Buffer.from(await request.arrayBuffer());
  if (!isSigned(request.headers, body, key)) return refusal(401);
  const interaction = Interaction.safeParse(jsonOf(body.toString())).data;
  if (interaction?.type === PING) return { response: Response.json({ type: PING }), messages: [] };
  const { id, type, token, channel_id, data, member, user = member?.user } = interaction ?? {};
  if (type !== COMMAND || !id || !channel_id || !user || data?.name !== 'ask') return refusal(400);
  const message = {
    externalId: id,
    place: channel_id,
    person: user.id,
    personName: user.global_name ?? user.username,
    text: String(data.options.find(({ name }) => name === 'question')?.value ?? '').trim(),
    files: filesIn(data),
    isAddressed: true,
    replyTo: `${id} ${token}`,
  };
  return {
    response: Response.json({ type: MESSAGE_LATER }),
    messages: [message],
    unkept: Response.json({
      type: MESSAGE_NOW,
      data: { content: 'This cannot be answered right now.', flags: ONLY_FOR_THE_PERSON },
    }),
  };
}

function filesIn({ options, resolved }: NonNullable<Interaction['data']>): ReceivedFile[] {
  return options.flatMap(({ name, value }) => {
    const file = name === 'file' ? resolved?.attachments[String(value)] : undefined;
    if (!file) return [];
    const isSpoken = file.content_type?.startsWith('audio/') === true;
    return [{ name: file.filename, reference: file.url, isSpoken }];
  });
}

/** Ed25519 over the timestamp and the exact bytes. */
function isSigned(headers: Headers, body: Buffer, key: KeyObject): boolean {
  const at = headers.get('x-signature-timestamp') ?? '';
  const signature = headers.get('x-signature-ed25519') ?? '';
  const age = Math.abs(Date.now() / 1000 - Number(at));
  if (!/^\d{1,12}$/.test(at) || age > SIGNATURE_MAX_AGE_SECONDS || !/^[0-9a-f]{128}$/i.test(signature))
    return false;
  return verify(null, Buffer.concat([Buffer.from(at), body]), key, Buffer.from(signature, 'hex'));
}

function keyOf(publicKey: string): KeyObject {
  const x = Buffer.from(publicKey, 'hex').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

/** The first part replaces the placeholder, the others follow it. */
async function bring(
  apiUrl: string,
  applicationId: string,
  { replyTo, partsBefore }: Destination,
  message: object,
): Promise<void> {
  const [id = '0', token = ''] = (replyTo ?? '').split(' ');
  const ageMs = Date.now() - Number((BigInt(id) >> 22n) + DISCORD_EPOCH_MS);
  if (ageMs > ANSWER_MAX_AGE_MS)
    throw new AppError('channel/refused', 'Discord accepts an answer for 15 minutes only.');
  const url = `${apiUrl}/webhooks/${applicationId}/${token}`;
  const once = () =>
    partsBefore === 0
      ? callDiscord(`${url}/messages/@original`, 'PATCH', message)
      : callDiscord(url, 'POST', message);
  if (partsBefore > 0 || ageMs > BEGINNING_MS) return void (await once());
  // The answer may be faster than our own promise of it.
  await once().catch(async () => {
    await wait(BEGINNING_WAIT_MS);
    await once();
  });
}

async function callDiscord(
  url: string,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH',
  content: unknown,
  botToken?: string,
): Promise<unknown> {
  const headers = {
    'user-agent': 'DiscordBot (Parley, 1)',
    ...(botToken ? { authorization: `Bot ${botToken}` } : {}),
  };
  const request = method === 'GET' ? { method, headers } : jsonRequest(method, content, headers);
  const { status, body } = await askService('Discord', url, request);
  if (status < 400) return body;
  const { message = String(status), errors } = Failure.safeParse(body).data ?? {};
  throw new AppError('channel/refused', `Discord said: ${reasonIn(errors) ?? message}`);
}

/** Discord reports a field's problem deep inside its response. */
function reasonIn(errors: unknown): string | undefined {
  if (typeof errors !== 'object' || errors === null) return undefined;
  if ('message' in errors && typeof errors.message === 'string') return errors.message;
  for (const each of Object.values(errors)) {
    const found = reasonIn(each);
    if (found !== undefined) return found;
  }
  return undefined;
}
