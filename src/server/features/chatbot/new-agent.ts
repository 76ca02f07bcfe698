import { randomBytes } from 'node:crypto';
import { Appearance } from '../../../contract/appearance.ts';
import { ModelSettings } from '../../../contract/chatbot.ts';
import { newId } from '../../id.ts';
import type { NewAgent } from './store.ts';

/** An agent's picture until it is given a photo. */
export const AGENT_PHOTO = '/images/agent.svg';

/** A new agent: public, with a unique handle derived from its name. */
export function newAgent(organizationId: string, name: string, profilePhoto = AGENT_PHOTO): NewAgent {
  return {
    id: newId('agent'),
    organizationId,
    name,
    handle: handleFrom(name),
    profilePhoto,
    appearance: Appearance.parse({ skin: 'parley' }),
    conversationStarters: [],
    modelSettings: ModelSettings.parse({}),
  };
}

/** `Café Léon` becomes `cafe-leon-3f9a1c`: readable, and unique because of its random suffix. */
function handleFrom(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);
  return [words || 'agent', randomBytes(3).toString('hex')].join('-');
}
