import type { ErrorCode } from '../../contract/errors.ts';
import type { Visit } from '../../contract/visitor.ts';

/**
 * What the loader, on somebody's site, and the frame, on our origin, say to each other by `postMessage`. Both name the exact
 * origin that may hear it, and hear nothing but what comes from the other's window and origin in one of these forms.
 */

/** Who says something in a conversation: the visitor, the agent, or a member in place of it. */
const speakers = ['user', 'assistant', 'operator'] as const;
export type Speaker = (typeof speakers)[number];

export const isSpeaker = (role: unknown): role is Speaker => (speakers as readonly unknown[]).includes(role);

/** From the frame. */
export type FrameMessage =
  /** Asks for a visit: at the start, and again when the token is about to end. */
  | { type: 'enter'; refreshToken: string | null }
  | { type: 'said'; role: Speaker; text: string }
  | { type: 'close' };

/** From the loader. */
export type LoaderMessage =
  | { type: 'visit'; visit: Visit }
  | { type: 'refused'; code: ErrorCode }
  /** Null, as it is read: this is no text, or far too long. */
  | { type: 'send'; text: string | null }
  /** The panel is shown: the keyboard belongs to the composer. */
  | { type: 'shown' }
  /** It is closed: what comes is not seen. */
  | { type: 'hidden' };

/** Longer texts come from nobody who keeps to the protocol. */
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= 200_000;

/** The own fields of an object, none of anything else; what a prototype lends does not count. */
function fieldsOf(data: unknown): Partial<Record<string, unknown>> {
  return { __proto__: null, ...(data as object) };
}

export function readFrameMessage(data: unknown): FrameMessage | undefined {
  const { type, refreshToken, role, text } = fieldsOf(data);
  if (type === 'close') return { type };
  if (type === 'enter' && (refreshToken === null || isText(refreshToken))) return { type, refreshToken };
  if (type === 'said' && isSpeaker(role) && isText(text)) return { type, role, text };
  return undefined;
}

export function readLoaderMessage(data: unknown): LoaderMessage | undefined {
  const { type, text, code, visit } = fieldsOf(data);
  if (type === 'shown' || type === 'hidden') return { type };
  if (type === 'send') return { type, text: isText(text) ? text : null };
  if (type === 'refused' && isText(code)) return { type, code: code as ErrorCode };
  if (type === 'visit' && isVisit(visit)) return { type, visit };
  return undefined;
}

/** Enough of it to rely on: the rest is text that is shown, or that the server judges. */
function isVisit(value: unknown): value is Visit {
  const { visitorId, token, expiresAt, refreshToken, agent } = fieldsOf(value);
  return (
    [visitorId, token, expiresAt].every(isText) &&
    (refreshToken === null || isText(refreshToken)) &&
    typeof agent === 'object' &&
    agent !== null
  );
}
