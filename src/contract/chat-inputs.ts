import * as z from 'zod';
import { WebAddress, words } from './common.ts';
import { idOf } from './id.ts';
import { ATTACHMENTS_A_MESSAGE_MAX, MESSAGE_MAX_CHARACTERS } from './limits.ts';

/**
 * The page of the embedding site where the message is written. Instructions may refer to it. The query and fragment of
 * its address are dropped.
 */
export const Page = WebAddress;

/** A numbered version, or the draft as it stands at each message. */
export const AgentVersion = z.union([z.literal('draft'), z.number().int().min(1)]);

/** Files added to the conversation by `attachment.add`. */
export const Attachments = z
  .array(idOf('attachment'))
  .max(ATTACHMENTS_A_MESSAGE_MAX)
  .refine((ids) => new Set(ids).size === ids.length, 'The same file is listed twice.')
  .default([]);

export const MessageText = words(MESSAGE_MAX_CHARACTERS);

/** Whether the end user is looking at what is fetched. A member's messages that they haven't seen are sent on to them. */
export const Seen = z.enum(['true', 'false']).default('true');
