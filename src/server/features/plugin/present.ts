import { may, type Role } from '../../../contract/access.ts';
import type { ChannelMessage, Plugin } from '../../../contract/plugin.ts';
import { cutText } from '../../../contract/cut-text.ts';
import type { Deps } from '../../deps.ts';
import type { listMessages } from '../channel/store.ts';
import { openCredentials } from '../../channels/open-channel.ts';
import type { StoredPlugin } from './store.ts';

/**
 * Of its credentials, only that there are some, plus the one a member has to give to the service: only shown to those
 * who may change the plugin, because anyone who knows it can pose as its service.
 */
export function presenterOf({ vault, channels }: Deps) {
  return (stored: StoredPlugin, origin: string, role: Role): Plugin => {
    const {
      agentId,
      credentials,
      accountName,
      health,
      healthError,
      checkedAt,
      createdAt,
      updatedAt,
      ...plugin
    } = stored;
    const channel = channels.find(plugin.type);
    const told = may(role, 'agent.write') ? channel?.verifyToken : undefined;
    const secrets =
      told && credentials !== null ? openCredentials(vault, { id: plugin.id, credentials }) : {};
    return {
      ...plugin,
      chatbotId: agentId,
      connection: { isConnected: credentials !== null, accountName },
      webhookUrl: channel && !channel.isAsked ? webhookUrlOf(plugin.id, origin) : null,
      verifyToken: (told && secrets[told]) ?? null,
      health: { state: health, error: healthError, checkedAt: checkedAt?.toISOString() ?? null },
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  };
}

/** `http/channels.ts` serves it. */
export function webhookUrlOf(pluginId: string, origin: string): string {
  return `${origin}/v1/plugin/${pluginId}/webhook`;
}

const BEGINNING_CHARACTERS = 200;

export function presentMessage({
  id,
  personName,
  text,
  state,
  error,
  conversationId,
  receivedAt,
  answeredAt,
}: Awaited<ReturnType<typeof listMessages>>[number]): ChannelMessage {
  return {
    id,
    personName,
    text: cutText(text, BEGINNING_CHARACTERS),
    state,
    error,
    conversationId,
    receivedAt: receivedAt.toISOString(),
    answeredAt: answeredAt?.toISOString() ?? null,
  };
}
