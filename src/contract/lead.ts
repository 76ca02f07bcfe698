import * as z from 'zod';
import { nextCursor, page, Search, text, Timestamp } from './common.ts';
import { idOf } from './id.ts';
import {
  LEAD_CHOICES_MAX,
  LEAD_FIELDS_MAX,
  LEAD_LABEL_MAX_CHARACTERS,
  LEAD_VALUE_MAX_CHARACTERS,
} from './limits.ts';
import { route } from './route.ts';

export const leadFieldKinds = ['text', 'email', 'phone', 'number', 'choice', 'consent'] as const;

const Label = text(LEAD_LABEL_MAX_CHARACTERS, 1).refine((value) => value.trim() !== '', 'Must not be blank.');

/** One question of a form. */
export const LeadField = z.strictObject({
  /** Identifies the value in an export and to the model. */
  key: text(40, 1).regex(
    /^[a-z][\w-]*$/i,
    'Must start with a letter and contain only letters, digits, - and _.',
  ),
  label: Label,
  kind: z.enum(leadFieldKinds),
  required: z.boolean(),
  /** For a choice; otherwise empty. */
  choices: z.array(Label).max(LEAD_CHOICES_MAX).default([]),
});
export type LeadField = z.infer<typeof LeadField>;

/** The fields an agent asks for when it collects a lead. */
export const LeadForm = z
  .array(LeadField)
  .max(LEAD_FIELDS_MAX)
  .refine((fields) => new Set(fields.map(({ key }) => key.toLowerCase())).size === fields.length, {
    message: 'Two fields cannot have the same key.',
  })
  .refine((fields) => fields.every(({ kind, choices }) => kind !== 'choice' || choices.length > 0), {
    message: 'A choice needs at least one option.',
  });

/** What somebody filled in, by the form's keys. A consent is true or false, everything else is text. */
export const LeadValues = z.record(z.string(), z.union([text(LEAD_VALUE_MAX_CHARACTERS), z.boolean()]));
export type LeadValues = z.infer<typeof LeadValues>;

/** Someone who left their details to be contacted. */
export const Lead = z.object({
  id: idOf('lead'),
  agentId: idOf('agent'),
  conversationId: idOf('conversation'),
  /** The end user. */
  userId: idOf('user'),
  /** According to the form at the time. */
  values: z.array(z.object({ key: z.string(), label: z.string(), value: z.string() })),
  createdAt: Timestamp,
});
export type Lead = z.infer<typeof Lead>;

const ofAgent = { id: idOf('agent') };

export const lead = {
  list: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/lead',
    summary: "An agent's leads, newest first",
    /** `search`: in the filled-in values. */
    input: z.strictObject({ ...ofAgent, cursor: page.cursor, count: page.count, search: Search }),
    output: z.object({ leads: z.array(Lead), nextCursor }),
  }),
  /** All of them, newest first, with text that no spreadsheet interprets as a formula. */
  export: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/lead/export',
    summary: "Export an agent's leads",
    input: z.strictObject(ofAgent),
    output: z.object({ csv: z.string() }),
  }),
  remove: route({
    method: 'DELETE',
    path: '/v1/chatbot/{id}/lead/{leadId}',
    summary: 'Delete a lead',
    input: z.strictObject({ ...ofAgent, leadId: idOf('lead') }),
    output: z.object({ deleted: z.literal(true) }),
  }),
};
