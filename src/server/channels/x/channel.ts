import { AppError } from '../../app-error.ts';
import type { Egress } from '../../egress/egress.ts';
import { understood } from '../ask-service.ts';
import { refusal, type Asked, type AskedFeed, type Channel, type Polled } from '../channel.ts';
import { readForeignFile } from '../read-file.ts';
import { callX, Whose, type Me, type XAccess } from './call.ts';
import { readMentions, readMessages, type Feed } from './feeds.ts';
import { MESSAGE_MAX_CHARACTERS, toMessages, toPosts } from './post-text.ts';

const feeds: Record<string, Feed> = { mentions: readMentions, messages: readMessages };

/** The minimum time between polls of a feed. */
const ASK_EVERY_SECONDS = 60;
/** Refused requests are retried, because the operator's application may have been granted access by then. */
const LATER_SECONDS = 900;
/** The epoch of post and message ids, which count in steps of 1/4,194,304 ms. */
const EPOCH_MS = 1_288_834_974_657;

/**
 * An account on X: people who mention it, reply to it or message it are answered there. X pushes events to few
 * accounts, so it is polled, as often as it allows per account.
 */
export function createXChannel({ apiUrl, egress }: { apiUrl: string; egress: Egress }): Channel {
  return {
    ownSecrets: [],
    isAsked: true,
    open: ({ credentials: { accessToken = '' } }) => {
      const access = { apiUrl, token: accessToken };
      let known: Me | undefined;
      return {
        partMaxCharacters: MESSAGE_MAX_CHARACTERS,
        cut: (place, markdown) => (kindOf(place).isPost ? toPosts(markdown) : toMessages(markdown)),
        // It has no webhook, so whatever sends something isn't X.
        receive: async () => refusal(401),
        poll: async (asked, since) => poll(access, (known ??= await readMe(access)), asked, since),
        send: async ({ place, replyTo }, text) => {
          const { id, isPost } = kindOf(place);
          if (isPost)
            await callX(access, '/tweets', { text, reply: { in_reply_to_tweet_id: replyTo ?? id } });
          else await callX(access, `/dm_conversations/${id}/messages`, { text });
        },
        showTyping: async () => undefined,
        readFile: (url) => readForeignFile(egress, url, { token: accessToken, isOwn: isOfMessages(url) }),
        connect: async () => ({ accountName: (await readMe(access)).username }),
        leave: async () => undefined,
      };
    },
  };
}

/** For a place in the format of `feeds.ts`. */
function kindOf(place: string): { id: string; isPost: boolean } {
  const [kind, id = ''] = place.split(' ');
  return { id, isPost: kind === 'post' };
}

async function readMe(access: XAccess): Promise<Me> {
  const { body } = await callX(access, '/users/me');
  return understood('X', Whose, body).data;
}

async function poll(access: XAccess, me: Me, before: Asked, since: Date): Promise<Polled> {
  const polled: Polled = { messages: [], asked: { ...before } };
  for (const [name, read] of Object.entries(feeds)) {
    const { newest, again } = before[name] ?? { newest: idAt(since), again: '' };
    if (Date.parse(again) > Date.now()) continue;
    try {
      const found = await read(access, me, newest);
      polled.messages.push(...found.messages);
      polled.asked[name] = next(found.newest ?? newest, secondsBetween(found.headers));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      polled.asked[name] = afterFailure(newest, error);
    }
  }
  return polled;
}

function next(newest: string, seconds: number, problem: string | null = null): AskedFeed {
  return { newest, again: new Date(Date.now() + seconds * 1000).toISOString(), problem };
}

/** Being asked to retry later is part of X's rate limiting, not a failure. */
function afterFailure(newest: string, { code, message, retryAfterSeconds }: AppError): AskedFeed {
  if (retryAfterSeconds !== undefined) return next(newest, retryAfterSeconds);
  return next(newest, code === 'channel/refused' ? LATER_SECONDS : ASK_EVERY_SECONDS, message);
}

/** Spreads the remaining requests over the time until X's rate limit resets. */
function secondsBetween(headers: Headers): number {
  const remaining = Number(headers.get('x-rate-limit-remaining') ?? Number.NaN);
  const seconds = Number(headers.get('x-rate-limit-reset') ?? Number.NaN) - Date.now() / 1000;
  if (!Number.isFinite(remaining) || !Number.isFinite(seconds)) return ASK_EVERY_SECONDS;
  return Math.max(ASK_EVERY_SECONDS, Math.ceil(seconds / Math.max(1, remaining)));
}

/** Anything after a given moment has a greater id. */
function idAt(moment: Date): string {
  return String(BigInt(Math.max(0, moment.getTime() - EPOCH_MS)) << 22n);
}

/** Pictures in direct messages are visible only to the participants. */
function isOfMessages(url: string): boolean {
  const { protocol, hostname } = URL.parse(url) ?? {};
  return protocol === 'https:' && hostname === 'ton.twitter.com';
}
