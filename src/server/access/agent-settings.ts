import type { ModelSettings } from '../../contract/chatbot.ts';
import { VersionSettings } from '../../contract/version.ts';
import type { Agent } from './gate.ts';

/** What stands in an agent's row is live; these put the settings of another of its versions in their place. */

type SettingsRow = Pick<Agent, keyof VersionSettings>;

/** The part of an agent that its versions hold. */
export function settingsOf(agent: SettingsRow): VersionSettings {
  return VersionSettings.parse(agent);
}

/** The agent as it is with these settings. `number` is then its version. */
export function withSettings(agent: Agent, number: number, settings: VersionSettings): Agent {
  const modelSettings: ModelSettings = settings.modelSettings;
  return { ...agent, ...settings, modelSettings, version: number };
}

/** The agent as everybody gets it, with the number of the live version. */
export function asLive(agent: Agent): Agent {
  return { ...agent, version: agent.liveVersion ?? agent.version };
}
