import { PLUGIN_TICKET_LIFETIME_SECONDS } from '../../contract/limits.ts';
import type { SigningKeys } from './keys.ts';
import { signToken, verifyToken, type TokenKind } from './signed-tokens.ts';

const PLUGIN_TICKET: TokenKind = {
  typ: 'plugin-ticket+jwt',
  audience: 'parley:plugin-ticket',
  lifetimeSeconds: PLUGIN_TICKET_LIFETIME_SECONDS,
  required: ['sub', 'plugin', 'browser'],
};

/** A member's permission to connect this plugin, given in one browser. */
interface PluginTicket {
  /** The member. */
  sub: string;
  plugin: string;
  /** Hash of the secret the browser holds. */
  browser: string;
}

export async function signPluginTicket(keys: SigningKeys, ticket: PluginTicket): Promise<string> {
  return (await signToken(keys, PLUGIN_TICKET, { ...ticket })).token;
}

/** Undefined for anything but an unexpired ticket of this installation. */
export async function verifyPluginTicket(
  keys: SigningKeys,
  token: string,
): Promise<PluginTicket | undefined> {
  return verifyToken<PluginTicket>(keys, PLUGIN_TICKET, token);
}
