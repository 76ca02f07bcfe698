import * as z from 'zod';
import { understood } from '../ask-service.ts';
import type { Received, ReceivedFile } from '../channel.ts';
import { callX, type Me, type XAccess } from './call.ts';

interface FeedRead {
  /** Oldest first. */
  messages: Received[];
  /** The id of the newest item in the feed; undefined if there is nothing new. */
  newest: string | undefined;
  headers: Headers;
}

export type Feed = (access: XAccess, me: Me, since: string) => Promise<FeedRead>;

/** The maximum page size X allows; beyond this many pages only the newest are read. */
const PAGE = 100;
const PAGES_MAX = 5;

const Id = z.string().regex(/^\d{1,20}$/);
const Person = z.object({ id: Id, name: z.string(), username: z.string() });
const Media = z.object({ media_key: z.string(), type: z.string(), url: z.string().optional() });
const Attached = z.object({ media_keys: z.array(z.string()).default([]) }).optional();
const Post = z.object({
  id: Id,
  text: z.string(),
  /** The full text of a long post. */
  note_tweet: z.object({ text: z.string() }).optional(),
  author_id: Id,
  conversation_id: Id,
  in_reply_to_user_id: Id.optional(),
  referenced_tweets: z.array(z.object({ type: z.string(), id: Id })).default([]),
  entities: z.object({ mentions: z.array(z.object({ username: z.string() })).default([]) }).optional(),
  attachments: Attached,
});
type Post = z.infer<typeof Post>;
const Message = z.object({
  id: Id,
  text: z.string().default(''),
  sender_id: Id,
  dm_conversation_id: z.string().regex(/^[\d-]{1,50}$/),
  attachments: Attached,
});
type Message = z.infer<typeof Message>;
const Includes = z
  .object({
    users: z.array(Person).default([]),
    tweets: z.array(z.unknown()).default([]),
    media: z.array(Media).default([]),
  })
  .default({ users: [], tweets: [], media: [] });
type Includes = z.infer<typeof Includes>;
const Page = z.object({
  data: z.array(z.unknown()).default([]),
  includes: Includes,
  meta: z.object({ next_token: z.string().optional() }).default({}),
});

/**
 * Posts that mention the account, and replies to its own. A reply automatically mentions everyone above it: what others
 * say to each other below such a post isn't for the agent.
 */
export const readMentions: Feed = async (access, me, since) => {
  const fields = {
    max_results: String(PAGE),
    since_id: since,
    'tweet.fields':
      'author_id,conversation_id,in_reply_to_user_id,referenced_tweets,entities,note_tweet,attachments',
    expansions: 'author_id,referenced_tweets.id,attachments.media_keys',
    'user.fields': 'name,username',
    'media.fields': 'url,type',
  };
  return readFeed(
    access,
    { path: `/users/${me.id}/mentions`, fields, since, shape: Post },
    (post, includes) => {
      if (post.author_id === me.id || !isForUs(post, includes, me)) return undefined;
      return {
        externalId: post.id,
        place: placeOfPost(post.conversation_id),
        ...personOf(post.author_id, includes),
        text: withoutNames(post.note_tweet?.text ?? post.text),
        files: filesOf(post.attachments, includes),
        isAddressed: true,
        replyTo: post.id,
      };
    },
  );
};

/** Direct messages; in a group, those that mention the account, and what follows them. */
export const readMessages: Feed = async (access, me, since) => {
  const fields = {
    max_results: String(PAGE),
    event_types: 'MessageCreate',
    'dm_event.fields': 'id,text,sender_id,dm_conversation_id,attachments',
    expansions: 'sender_id,attachments.media_keys',
    'user.fields': 'name,username',
    'media.fields': 'url,type',
  };
  return readFeed(access, { path: '/dm_events', fields, since, shape: Message }, (message, includes) => {
    if (message.sender_id === me.id) return undefined;
    const isAlone = message.dm_conversation_id.includes('-');
    return {
      externalId: message.id,
      place: placeOfMessages(message.dm_conversation_id),
      ...personOf(message.sender_id, includes),
      text: isAlone ? message.text.trim() : withoutNames(message.text),
      files: filesOf(message.attachments, includes),
      isAddressed: isAlone || message.text.toLowerCase().includes(`@${me.username.toLowerCase()}`),
    };
  });
};

/** For posts: replying to the conversation's first post is the fallback. */
const placeOfPost = (id: string): string => `post ${id}`;
const placeOfMessages = (id: string): string => `messages ${id}`;

interface Asking<Shape extends z.ZodType> {
  path: string;
  fields: Record<string, string>;
  since: string;
  shape: Shape;
}

/** Page by page, newest first as X returns them, until the last item read before. Unreadable items are skipped. */
async function readFeed<Shape extends z.ZodType<{ id: string }>>(
  access: XAccess,
  { path, fields, since, shape }: Asking<Shape>,
  receivedOf: (each: z.infer<Shape>, includes: Includes) => Received | undefined,
): Promise<FeedRead> {
  const messages: Received[] = [];
  let newest: string | undefined;
  for (let [page, next]: [number, string | undefined] = [0, undefined]; ; page += 1) {
    const query = new URLSearchParams({ ...fields, ...(next && { pagination_token: next }) });
    const { body, headers } = await callX(access, `${path}?${query}`);
    const { data, includes, meta } = understood('X', Page, body);
    const read = data.flatMap((each) => shape.safeParse(each).data ?? []);
    const fresh = read.filter(({ id }) => BigInt(id) > BigInt(since));
    newest ??= fresh[0]?.id;
    messages.push(...fresh.flatMap((each) => receivedOf(each, includes) ?? []));
    next = meta.next_token;
    if (next === undefined || fresh.length < read.length || page + 1 >= PAGES_MAX)
      return { messages: messages.toReversed(), newest, headers };
  }
}

function isForUs(post: Post, { tweets }: Includes, me: Me): boolean {
  if (post.in_reply_to_user_id === undefined || post.in_reply_to_user_id === me.id) return true;
  const above = post.referenced_tweets.find(({ type }) => type === 'replied_to')?.id;
  const parent = tweets.flatMap((each) => Post.safeParse(each).data ?? []).find(({ id }) => id === above);
  return !parent || !names(parent, me);
}

function names({ entities }: Post, { username }: Me): boolean {
  return (entities?.mentions ?? []).some((each) => each.username.toLowerCase() === username.toLowerCase());
}

function personOf(id: string, { users }: Includes): Pick<Received, 'person' | 'personName'> {
  return { person: id, personName: users.find((user) => user.id === id)?.name ?? id };
}

/** Leading mentions address the post and aren't part of its text. */
function withoutNames(text: string): string {
  return text.replace(/^(\s*@\w{1,15}\b)+/, '').trim();
}

function filesOf(attached: z.infer<typeof Attached>, { media }: Includes): ReceivedFile[] {
  return (attached?.media_keys ?? []).flatMap((key) => {
    const file = media.find(({ media_key }) => media_key === key);
    if (file?.type !== 'photo' || file.url === undefined) return [];
    const name = URL.parse(file.url)?.pathname.split('/').at(-1) ?? '';
    return [{ name: name === '' ? 'picture' : name, reference: file.url, isSpoken: false }];
  });
}
