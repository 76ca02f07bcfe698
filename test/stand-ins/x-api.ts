/** The people who write at the stand-in for X. */
const people = {
  ada: { id: '71', name: 'Ada', username: 'ada' },
  bob: { id: '72', name: 'Bob', username: 'bob' },
};
export type Person = keyof typeof people;

/** The account that granted us access. */
export const account = { id: '42', name: 'Acme', username: 'acme' };

export interface Post {
  id: string;
  text: string;
  author_id: string;
  conversation_id: string;
  in_reply_to_user_id?: string;
  referenced_tweets?: { type: string; id: string }[];
  entities: { mentions: { username: string }[] };
  attachments?: { media_keys: string[] };
}

interface DirectMessage {
  id: string;
  event_type: string;
  text: string;
  sender_id: string;
  dm_conversation_id: string;
}

export interface Answer {
  status: number;
  body: object;
  headers?: Record<string, string>;
}

const EPOCH_MS = 1_288_834_974_657n;
/** The number of items per page. */
const PAGE = 3;

/**
 * The part of X's API (https://docs.x.com/x-api) an account's plugin needs: posts that mention it, direct messages, and
 * writing both. Returns the newest first, `PAGE` at a time whatever is requested, and accepts no post of more than 280
 * characters.
 */
export class XApi {
  posts: Post[] = [];
  messages: DirectMessage[] = [];
  /** By the key in a post. */
  media = new Map<string, { media_key: string; type: string; url: string }>();
  /** Overrides the answers to the next calls of a path. */
  failing: { path: string; times: number; answer: Answer }[] = [];
  /** Included in every answer to a feed. */
  limit: { remaining: number; resetsInSeconds: number } | undefined;
  /** The requested paths. */
  asked: string[] = [];
  #count = 0n;

  answer(method: string, path: string, query: URLSearchParams, content: string): Answer {
    this.asked.push(path);
    const failure = this.failing.find((each) => each.path === path && each.times > 0);
    if (failure) {
      failure.times -= 1;
      return failure.answer;
    }
    if (path === '/2/users/me') return { status: 200, body: { data: account } };
    if (path === `/2/users/${account.id}/mentions`) return this.#mentions(query);
    if (path === '/2/dm_events') return this.#page(this.messages, query);
    const given = JSON.parse(content || '{}') as { text: string; reply?: { in_reply_to_tweet_id: string } };
    const [, conversation] = /^\/2\/dm_conversations\/([\d-]+)\/messages$/.exec(path) ?? [];
    if (method === 'POST' && conversation) return this.#writeMessage(conversation, given.text);
    if (method === 'POST' && path === '/2/tweets') return this.#writePost(given);
    return { status: 404, body: { title: 'Not Found Error', detail: 'There is no such thing.' } };
  }

  /** Posts as a person, optionally as a reply, which automatically mentions the author it replies to. */
  post(by: Person, text: string, replyTo?: Post): Post {
    return this.#add(people[by], text, replyTo);
  }

  /** Writes to the account as a person, or in a group. */
  write(by: Person, text: string, conversation = `${account.id}-${people[by].id}`): void {
    this.messages.unshift({
      id: this.#nextId(),
      event_type: 'MessageCreate',
      text,
      sender_id: people[by].id,
      dm_conversation_id: conversation,
    });
  }

  /** The account's posts, oldest first. */
  get posted(): Post[] {
    return this.posts.filter(({ author_id }) => author_id === account.id).toReversed();
  }

  /** The account's messages, oldest first. */
  get written(): string[] {
    return this.messages
      .filter(({ sender_id }) => sender_id === account.id)
      .map(({ text }) => text)
      .toReversed();
  }

  #add(author: { id: string; username: string }, text: string, replyTo?: Post): Post {
    const id = this.#nextId();
    const post: Post = {
      id,
      text,
      author_id: author.id,
      conversation_id: replyTo?.conversation_id ?? id,
      ...(replyTo && {
        in_reply_to_user_id: replyTo.author_id,
        referenced_tweets: [{ type: 'replied_to', id: replyTo.id }],
      }),
      entities: { mentions: [...text.matchAll(/@(\w+)/g)].map(([, username = '']) => ({ username })) },
    };
    this.posts.unshift(post);
    return post;
  }

  #mentions(query: URLSearchParams): Answer {
    const since = BigInt(query.get('since_id') ?? 0);
    const named = this.posts.filter(
      ({ id, entities, in_reply_to_user_id: to }) =>
        BigInt(id) > since &&
        (to === account.id || entities.mentions.some(({ username }) => username === 'acme')),
    );
    return this.#page(named, query);
  }

  #page(all: (Post | DirectMessage)[], query: URLSearchParams): Answer {
    const from = Number(query.get('pagination_token') ?? 0);
    const data = all.slice(from, from + PAGE);
    const above = data.flatMap((each) => ('referenced_tweets' in each ? (each.referenced_tweets ?? []) : []));
    const tweets = this.posts.filter(({ id }) => above.some((each) => each.id === id));
    const more = from + PAGE < all.length ? { next_token: String(from + PAGE) } : {};
    const body = {
      ...(data.length > 0 && { data }),
      includes: { users: [...Object.values(people), account], tweets, media: [...this.media.values()] },
      meta: { result_count: data.length, ...more },
    };
    if (!this.limit) return { status: 200, body };
    return { status: 200, body, headers: limitHeaders(this.limit) };
  }

  #writePost({ text, reply }: { text: string; reply?: { in_reply_to_tweet_id: string } }): Answer {
    const above = this.posts.find(({ id }) => id === reply?.in_reply_to_tweet_id);
    if (!above)
      return { status: 403, body: { detail: 'You are not allowed to reply to this conversation.' } };
    const characters = Array.from(text.replaceAll(/https?:\/\/\S+/g, 'x'.repeat(23))).length;
    if (characters > 280 || text === '') return { status: 400, body: { detail: 'Your post is too long.' } };
    return { status: 201, body: { data: { id: this.#add(account, text, above).id, text } } };
  }

  #writeMessage(dm_conversation_id: string, text: string): Answer {
    const id = this.#nextId();
    this.messages.unshift({
      id,
      event_type: 'MessageCreate',
      text,
      sender_id: account.id,
      dm_conversation_id,
    });
    return { status: 201, body: { data: { dm_conversation_id, dm_event_id: id } } };
  }

  #nextId(): string {
    this.#count += 1n;
    return String(((BigInt(Date.now()) - EPOCH_MS) << 22n) + this.#count);
  }
}

export function limitHeaders({ remaining, resetsInSeconds }: { remaining: number; resetsInSeconds: number }) {
  return {
    'x-rate-limit-remaining': String(remaining),
    'x-rate-limit-reset': String(Math.floor(Date.now() / 1000) + resetsInSeconds),
  };
}
