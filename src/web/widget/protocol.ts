import type { ErrorCode } from '../../contract/errors.ts';
import type { Visit } from '../../contract/visitor.ts';

/**
 * The messages between the loader, on somebody's site, and the frame, on our origin, over `postMessage`. Both address
 * the exact origin, and accept only what comes from the other's window and origin in one of these forms.
 */

/** The author of a message: the visitor, the agent, or a member replacing it. */
const speakers = ['user', 'assistant', 'operator'] as const;
export type Speaker = (typeof speakers)[number];

export const isSpeaker = (role: unknown): role is Speaker => (speakers as readonly unknown[]).includes(role);

/** From the frame. */
export type FrameMessage =
  /** Asks for a visit: at the start, and again when the token is about to expire. */
  | { type: 'enter'; refreshToken: string | null }
  | { type: 'said'; role: Speaker; text: string }
  | { type: 'close' };

/** From the loader. */
export type LoaderMessage =
  | { type: 'visit'; visit: Visit }
  | { type: 'refused'; code: ErrorCode }
  /** Null after parsing: not a text, or far too long. */
  | { type: 'send'; text: string | null }
  /** The panel is open, on this page: keyboard focus belongs to the composer. Null after parsing: not an address. */
  | { type: 'shown'; page: string | null }
  /** It is closed: new messages are not seen. */
  | { type: 'hidden' };

/** No well-behaved peer sends longer texts. */
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= 200_000;

/** An object's own fields, none for anything else; inherited ones don't count. */
function fieldsOf(data: unknown): Partial<Record<string, unknown>> {
  return { __proto__: null, ...(data as object) };
}

export function readFrameMessage(data: unknown): FrameMessage | undefined {
  const { type, refreshToken, role, text } = fieldsOf(data);
  const isValid =
    type === 'close' ||
    (type === 'enter' && (refreshToken === null || isText(refreshToken))) ||
    (type === 'said' && isSpeaker(role) && isText(text));
  return isValid ? (data as FrameMessage) : undefined;
}

export function readLoaderMessage(data: unknown): LoaderMessage | undefined {
  const { type, text, code, visit, page } = fieldsOf(data);
  if (type === 'hidden') return { type };
  if (type === 'shown') return { type, page: isText(page) ? page : null };
  if (type === 'send') return { type, text: isText(text) ? text : null };
  if (type === 'refused' && isText(code)) return { type, code: code as ErrorCode };
  if (type === 'visit' && isVisit(visit)) return { type, visit };
  return undefined;
}

/** Checks enough to rely on: the rest is text for display, or for the server to judge. */
function isVisit(value: unknown): value is Visit {
  const { visitorId, token, expiresAt, refreshToken, agent } = fieldsOf(value);
  return (
    [visitorId, token, expiresAt].every(isText) &&
    (refreshToken === null || isText(refreshToken)) &&
    typeof agent === 'object' &&
    agent !== null
  );
}
