import * as z from 'zod';
import { WebAddress, words } from './common.ts';
import { idOf } from './id.ts';
import { ATTACHMENTS_A_MESSAGE_MAX, MESSAGE_MAX_CHARACTERS } from './limits.ts';

/**
 * Where it is written: the page of a site that shows the agent. Instructions may name it. Of its address neither query nor
 * fragment is kept.
 */
export const Page = WebAddress;

/** A numbered version, or the draft as it is at each message. */
export const AgentVersion = z.union([z.literal('draft'), z.number().int().min(1)]);

/** Files brought into the conversation by `attachment.add`. */
export const Attachments = z
  .array(idOf('attachment'))
  .max(ATTACHMENTS_A_MESSAGE_MAX)
  .refine((ids) => new Set(ids).size === ids.length, 'The same file is listed twice.')
  .default([]);

export const MessageText = words(MESSAGE_MAX_CHARACTERS);

/** Whether the end user looks at what is read. What they have not seen of a member's words is sent after them. */
export const Seen = z.enum(['true', 'false']).default('true');
