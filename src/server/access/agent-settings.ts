import type { ModelSettings } from '../../contract/chatbot.ts';
import { VersionSettings } from '../../contract/version.ts';
import type { Agent } from './gate.ts';

/** An agent's row holds the live settings; these functions replace them with those of another version. */

type SettingsRow = Pick<Agent, keyof VersionSettings>;

/** The part of an agent that its versions hold. */
export function settingsOf(agent: SettingsRow): VersionSettings {
  return VersionSettings.parse(agent);
}

/** The agent with these settings. `number` becomes its version. */
export function withSettings(agent: Agent, number: number, settings: VersionSettings): Agent {
  const modelSettings: ModelSettings = settings.modelSettings;
  return { ...agent, ...settings, modelSettings, version: number };
}

/** The agent as everyone gets it, with the number of the live version. */
export function asLive(agent: Agent): Agent {
  return { ...agent, version: agent.liveVersion ?? agent.version };
}
