import * as z from 'zod';
import { AppError } from '../app-error.ts';
import { askService, understood } from './ask-service.ts';
import { jsonOf, refusal, type Channel, type Received, type ReceivedFile } from './channel.ts';
import type { Egress } from '../egress/egress.ts';
import { createNames } from './names.ts';
import { readForeignFile } from './read-file.ts';
import { toStars, type StarMarkup } from './star-markup.ts';

/** Slack truncates much longer messages; formatting and escapes come on top. */
const PART_MAX_CHARACTERS = 3500;
/** Slack waits 3 s for an acknowledgment. */
const NAME_WAIT_MS = 1500;
/** Slack's errors that may be temporary. */
const PASSING = ['ratelimited', 'internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'];

const Answer = z.looseObject({ ok: z.boolean(), error: z.string().optional() });
const Me = z.object({ team: z.string().max(100), user: z.string().min(1).max(100) });
const Person = z.object({
  user: z.object({
    real_name: z.string().optional(),
    name: z.string().optional(),
    profile: z.object({ display_name: z.string().optional() }).optional(),
  }),
});
const Written = z.object({
  type: z.enum(['message', 'app_mention']),
  subtype: z.string().optional(),
  bot_id: z.string().optional(),
  user: z.string().min(1),
  channel: z.string().min(1),
  channel_type: z.string().optional(),
  ts: z.string().min(1),
  thread_ts: z.string().optional(),
  text: z.string().default(''),
  files: z
    .array(
      z.object({
        name: z.string().optional(),
        mimetype: z.string().optional(),
        url_private: z.string().optional(),
      }),
    )
    .default([]),
});
type Written = z.infer<typeof Written>;
const Envelope = z.object({
  type: z.string(),
  challenge: z.string().optional(),
  event: z.unknown().optional(),
  /** The event's recipient: our bot. */
  authorizations: z.array(z.object({ user_id: z.string().optional() })).optional(),
});

/**
 * A Slack bot, by the Events API. Slack authenticates itself with a signature over the content and the time; anything
 * older than five minutes is rejected. `apiUrl` is the Web API's. Unless it is given a store for both, the Chat SDK's
 * adapter looks up the sender and waits for previews with every message; so only the SDK's signature check and markup
 * are used.
 */
export function createSlack({ apiUrl, egress }: { apiUrl: string; egress: Egress }): Channel {
  return {
    ownSecrets: [],
    open: ({ credentials: { botToken = '', signingSecret = '' } }) => {
      const call = (method: string, parameters: Record<string, unknown>) =>
        callSlack(apiUrl, botToken, method, parameters);
      const nameOf = createNames(async (user) => {
        const found = Person.safeParse(await call('users.info', { user }));
        const { profile, real_name, name } = found.data?.user ?? {};
        return profile?.display_name || real_name || name;
      }, NAME_WAIT_MS);
      return {
        partMaxCharacters: PART_MAX_CHARACTERS,
        receive: (request) => receive(request, signingSecret, nameOf),
        send: async ({ place }, markdown) => {
          const text = await toStars(markdown, slackMarkup);
          // Names stay text: only markup pings people, and that is escaped.
          const quiet = { parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false };
          await call('chat.postMessage', { ...threadOf(place), ...quiet, text });
        },
        showTyping: async ({ place }) => {
          const { channel, thread_ts } = threadOf(place);
          if (thread_ts === undefined) return;
          const status = { channel_id: channel, thread_ts, status: 'is writing…' };
          await call('assistant.threads.setStatus', status).catch(() => undefined);
        },
        readFile: (url) => readForeignFile(egress, url, { token: botToken, isOwn: isOfSlack(url, apiUrl) }),
        connect: async () => {
          const { team, user } = understood('Slack', Me, await call('auth.test', {}));
          return { accountName: `${team}/${user}` };
        },
        // What Slack sends is configured at Slack.
        leave: async () => undefined,
      };
    },
  };
}

async function receive(
  request: Request,
  signingSecret: string,
  nameOf: (user: string) => Promise<string>,
): Promise<{ response: Response; messages: Received[] }> {
  const [{ verifySlackRequest }, { slackMrkdwnToMarkdown }] = await Promise.all([
    import('@chat-adapter/slack/webhook'),
    import('@chat-adapter/slack/format'),
  ]);
  const body = await verifySlackRequest(request, { signingSecret }).catch(() => undefined);
  if (body === undefined) return refusal(401);
  const envelope = Envelope.safeParse(jsonOf(body));
  if (!envelope.success) return refusal(400);
  const { type, challenge, event, authorizations = [] } = envelope.data;
  if (type === 'url_verification') return { response: Response.json({ challenge }), messages: [] };
  const thanks = { response: Response.json({}), messages: [] };
  const written = Written.safeParse(event).data;
  const own = authorizations.flatMap(({ user_id }) => user_id ?? []);
  if (!written || !isByPerson(written, own)) return thanks;
  const isAddressed =
    written.type === 'app_mention' ||
    written.channel_type === 'im' ||
    own.some((id) => written.text.includes(`<@${id}>`));
  // A message outside a thread that mentions nobody neither starts nor continues a conversation.
  if (!isAddressed && written.thread_ts === undefined) return thanks;
  const { channel, ts, user } = written;
  const message: Received = {
    externalId: `${channel} ${ts}`,
    place: placeOf(written),
    person: user,
    personName: await nameOf(user),
    text: slackMrkdwnToMarkdown(withoutOwn(written.text, own)).trim(),
    files: filesIn(written),
    isAddressed,
  };
  return { ...thanks, messages: [message] };
}

/** Not from a bot, ours included, and new: edits and deletions don't ask again. */
function isByPerson({ bot_id, user, subtype = '' }: Written, own: string[]): boolean {
  return (
    bot_id === undefined && !own.includes(user) && ['', 'file_share', 'thread_broadcast'].includes(subtype)
  );
}

function filesIn({ files }: Written): ReceivedFile[] {
  return files.flatMap(({ name = 'file', mimetype = '', url_private: reference }) =>
    reference ? [{ name, reference, isSpoken: mimetype.startsWith('audio/') }] : [],
  );
}

/** Hosts that may receive the token. */
function isOfSlack(url: string, apiUrl: string): boolean {
  const { protocol, hostname, origin } = URL.parse(url) ?? {};
  return (
    origin === new URL(apiUrl).origin ||
    (protocol === 'https:' && (hostname === 'slack.com' || hostname?.endsWith('.slack.com') === true))
  );
}

/** Mentioning the agent addresses it but isn't part of the message. */
function withoutOwn(text: string, own: string[]): string {
  const said = text.trim();
  const named = own.find((id) => said.startsWith(`<@${id}>`));
  return named === undefined ? said : said.slice(named.length + 3).trim();
}

/** A direct chat continues in place; a conversation started in a channel gets its own thread. */
function placeOf({ channel, channel_type, ts, thread_ts }: Written): string {
  const thread = thread_ts ?? (channel_type === 'im' ? undefined : ts);
  return thread === undefined ? channel : `${channel}/${thread}`;
}

function threadOf(place: string): { channel: string; thread_ts?: string } {
  const [channel = '', thread_ts] = place.split('/');
  return thread_ts === undefined ? { channel } : { channel, thread_ts };
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const slackMarkup: StarMarkup = {
  escape,
  link: (url, label) => `<${escape(new URL(url).href).replaceAll('|', '%7C')}|${label.replaceAll('|', '¦')}>`,
};

async function callSlack(
  apiUrl: string,
  token: string,
  method: string,
  parameters: Record<string, unknown>,
): Promise<unknown> {
  // Not every Web API method accepts JSON; all accept forms.
  const fields = Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]);
  const { body } = await askService('Slack', `${apiUrl}/${method}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    },
    body: new URLSearchParams(fields).toString(),
  });
  const answer = understood('Slack', Answer, body);
  const { ok, error = 'no reason' } = answer;
  if (ok) return answer;
  throw new AppError(
    PASSING.includes(error) ? 'channel/unavailable' : 'channel/refused',
    `Slack said: ${error}`,
  );
}
