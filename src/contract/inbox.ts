import * as z from 'zod';
import { Author, Conversation, Message } from './chat.ts';
import { name, nextCursor, page, Search, text, Timestamp, TimeZone, words } from './common.ts';
import { Estimate } from './estimate.ts';
import { handlingNow, handlings } from './handling.ts';
import { idOf } from './id.ts';
import {
  AWAY_MESSAGE_MAX_CHARACTERS,
  CANNED_ANSWER_TITLE_MAX_CHARACTERS,
  CANNED_ANSWERS_MAX,
  HANDOVER_REASON_MAX_CHARACTERS,
  HANDOVERS_PER_HOUR_AND_ADDRESS,
  MESSAGE_MAX_CHARACTERS,
} from './limits.ts';
import { route } from './route.ts';

/** Who requested a person: the end user, the agent, or a member who stepped in. */
export const handoverOrigins = ['end-user', 'agent', 'member'] as const;

/** A message from a person in a conversation. */
const Words = words(MESSAGE_MAX_CHARACTERS);

/** A conversation as members see it. */
export const InboxConversation = z.object({
  id: idOf('conversation'),
  title: z.string(),
  agent: z.object({ id: idOf('agent'), name: z.string(), profilePhoto: z.string() }),
  endUser: Author,
  channel: Conversation.shape.channel,
  handling: z.enum(handlings),
  /** The member handling it. */
  assignee: Author.nullable(),
  /** For the most recent request for a person; null: never requested. */
  handover: z
    .object({
      by: z.enum(handoverOrigins),
      reason: z.string(),
      askedAt: Timestamp,
      takenAt: Timestamp.nullable(),
    })
    .nullable(),
  /** The start of the last message, and its author's role. */
  last: z.object({ role: Message.shape.role, text: z.string() }).nullable(),
  /** When the end user last looked at it since a person was requested; null: never, or in a channel, which doesn't report it. */
  seenAt: Timestamp.nullable(),
  /** For a conversation that has gone quiet, if the agent has estimates turned on; null: none was made. */
  estimate: Estimate.nullable(),
  updatedAt: Timestamp,
});
export type InboxConversation = z.infer<typeof InboxConversation>;

/** Notes between members; end users never see them. */
export const Note = z.object({
  id: idOf('note'),
  author: Author.nullable(),
  text: z.string(),
  createdAt: Timestamp,
});
export type Note = z.infer<typeof Note>;

export const CannedAnswer = z.object({ id: idOf('cannedAnswer'), title: z.string(), text: z.string() });
export type CannedAnswer = z.infer<typeof CannedAnswer>;

const TimeOfDay = text(5).regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time like 09:30.');

/** A day whose hours end at or before their start time ends on the following day. */
export const endsNextDay = ({ from, to }: { from: string; to: string }): boolean => to <= from;

/** When members answer, in local time of the time zone. Days start with Monday; null: no hours begin on that day. */
export const OfficeHours = z.strictObject({
  timeZone: TimeZone,
  days: z.array(z.strictObject({ from: TimeOfDay, to: TimeOfDay }).nullable()).length(7),
});
export type OfficeHours = z.infer<typeof OfficeHours>;

export const InboxSetting = z.object({
  /** Null: always. */
  officeHours: OfficeHours.nullable(),
  /** The reply to someone who asks for a person outside these hours. */
  awayMessage: z.string(),
  /** Who is emailed that somebody is waiting: nobody, owners and admins, or everyone who may answer. */
  notify: z.enum(['nobody', 'managers', 'all']),
});
export type InboxSetting = z.infer<typeof InboxSetting>;

const ofConversation = z.strictObject({ id: idOf('conversation') });
const ofOrganization = z.strictObject({ organizationId: idOf('organization') });
const conversation = z.object({ conversation: InboxConversation });
const canned = { title: name(CANNED_ANSWER_TITLE_MAX_CHARACTERS), text: Words };

/** For end users: from the agent to a person and back. */
export const handover = {
  /**
   * Asks for a person; messages from now on are for them, and the agent is silent. `notice`: what to tell the end user
   * if nobody is available. Errors: 409 in a room, in a temporary conversation, and if the agent has no people or
   * offers none.
   */
  ask: route({
    method: 'POST',
    path: '/v1/chat/{id}/handover',
    summary: 'Ask for a person',
    access: 'chat',
    limit: { requests: HANDOVERS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
    input: ofConversation.extend({ reason: text(HANDOVER_REASON_MAX_CHARACTERS).default('') }),
    output: z.object(handlingNow),
  }),
  /** Continues with the agent. */
  cancel: route({
    method: 'DELETE',
    path: '/v1/chat/{id}/handover',
    summary: 'Continue with the agent',
    access: 'chat',
    input: ofConversation,
    output: z.object({ handling: z.enum(handlings) }),
  }),
};

/** For members: people's conversations with agents, and stepping into them. */
export const inbox = {
  /** Conversations with people: longest waiting first, then most recently changed. */
  list: route({
    method: 'GET',
    path: '/v1/inbox',
    summary: 'Conversations that need a person',
    input: z.strictObject({
      organizationId: idOf('organization'),
      /** `open`: waiting or with a person. `mine`: those assigned to the caller. */
      view: z.enum(['open', 'waiting', 'mine', 'closed']).default('open'),
      /** In titles, messages and end users' names. */
      search: Search,
      cursor: page.cursor,
      count: page.count,
    }),
    output: z.object({
      conversations: z.array(InboxConversation),
      nextCursor,
      /** Across all agents the caller can see. */
      waiting: z.number().int(),
    }),
  }),
  /** Any conversation with an agent the caller can see. Messages newest first. */
  get: route({
    method: 'GET',
    path: '/v1/inbox/{id}',
    summary: 'A conversation, for members',
    input: ofConversation.extend({ cursor: page.cursor, count: page.count }),
    output: z.object({
      conversation: InboxConversation,
      messages: z.array(Message),
      notes: z.array(Note),
      /** The members who may answer it and can be assigned. */
      helpers: z.array(Author),
      nextCursor,
    }),
  }),
  /** The agent goes silent, and any answer in progress stops. Errors: 409 when another member has it: assign it. */
  take: route({
    method: 'POST',
    path: '/v1/inbox/{id}/take',
    summary: 'Take a conversation over',
    input: ofConversation,
    output: conversation,
  }),
  assign: route({
    method: 'PUT',
    path: '/v1/inbox/{id}/assignee',
    summary: 'Assign a conversation to a member',
    input: ofConversation.extend({ userId: idOf('user') }),
    output: conversation,
  }),
  /** Writes as oneself, which also takes the conversation over. Errors: 409 when another member has it. */
  write: route({
    method: 'POST',
    path: '/v1/inbox/{id}/message',
    summary: 'Write to an end user',
    input: ofConversation.extend({ text: Words }),
    output: z.object({ message: Message }),
  }),
  /** The agent answers again. */
  release: route({
    method: 'POST',
    path: '/v1/inbox/{id}/release',
    summary: 'Hand a conversation back to the agent',
    input: ofConversation,
    output: conversation,
  }),
  /** Closes it. The agent answers anything the end user writes afterwards. */
  close: route({
    method: 'POST',
    path: '/v1/inbox/{id}/close',
    summary: 'Close a conversation',
    input: ofConversation,
    output: conversation,
  }),
  note: route({
    method: 'POST',
    path: '/v1/inbox/{id}/note',
    summary: 'Leave a note for other members',
    input: ofConversation.extend({ text: Words }),
    output: z.object({ note: Note }),
  }),
  listCanned: route({
    method: 'GET',
    path: '/v1/inbox/canned-answer',
    summary: 'Canned answers',
    input: ofOrganization,
    output: z.object({ answers: z.array(CannedAnswer) }),
  }),
  /** Errors: 409 beyond `CANNED_ANSWERS_MAX`. */
  createCanned: route({
    method: 'POST',
    path: '/v1/inbox/canned-answer',
    summary: `Save a canned answer, up to ${CANNED_ANSWERS_MAX}`,
    input: ofOrganization.extend(canned),
    output: z.object({ answer: CannedAnswer }),
  }),
  /**
   * Omitted fields stay as they are. With `seen`, saving over what someone else has since saved in the same field is a
   * 409, and `now` in its `errors` holds the current value.
   */
  updateCanned: route({
    method: 'PUT',
    path: '/v1/inbox/canned-answer/{id}',
    summary: 'Change a canned answer',
    input: ofOrganization.extend({
      id: idOf('cannedAnswer'),
      title: canned.title.optional(),
      text: canned.text.optional(),
      seen: CannedAnswer.omit({ id: true }).partial().optional(),
    }),
    output: z.object({ answer: CannedAnswer }),
  }),
  removeCanned: route({
    method: 'DELETE',
    path: '/v1/inbox/canned-answer/{id}',
    summary: 'Delete a canned answer',
    input: ofOrganization.extend({ id: idOf('cannedAnswer') }),
    output: z.object({ deleted: z.literal(true) }),
  }),
  getSetting: route({
    method: 'GET',
    path: '/v1/inbox/setting',
    summary: 'Read when and how people answer',
    input: ofOrganization,
    output: z.object({ setting: InboxSetting }),
  }),
  /** Omitted fields stay as they are. */
  setSetting: route({
    method: 'PUT',
    path: '/v1/inbox/setting',
    summary: 'Set when and how people answer (hours that end at or before their start end on the next day)',
    input: ofOrganization.extend({
      officeHours: OfficeHours.nullable().optional(),
      awayMessage: text(AWAY_MESSAGE_MAX_CHARACTERS).optional(),
      notify: InboxSetting.shape.notify.optional(),
    }),
    output: z.object({ setting: InboxSetting }),
  }),
};
