import { randomBytes } from 'node:crypto';
import { Appearance } from '../../../contract/appearance.ts';
import { ModelSettings } from '../../../contract/chatbot.ts';
import { newId } from '../../id.ts';
import type { NewAgent } from './store.ts';

/** What an agent looks like until it is given a photo. */
export const AGENT_PHOTO = '/images/agent.svg';

/** An agent as it is born: public, with a handle made from its name that nobody else has. */
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

/** `Café Léon` becomes `cafe-leon-3f9a1c`: readable, and unique by its random end. */
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
