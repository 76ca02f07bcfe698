import { organizationOf, serverAt, sessionWith } from './session.ts';
import { readSettings, saveSettings, type Settings } from './settings.ts';
import { readSecret, type Output } from './terminal.ts';

/** Saves a key once it has been verified. Keys of any other server are forgotten. */
export async function login(address: string, called: string | undefined, output: Output): Promise<void> {
  const url = serverAt(address);
  const kept = await readSettings();
  const before: Settings = kept?.url === url ? kept : { url, apiKey: null, organizationId: null, agents: [] };
  if (called === undefined) {
    const apiKey = await readSecret('API key of the organization');
    const organizationId = await organizationOf(sessionWith(url, apiKey));
    await saveSettings({ ...before, apiKey, organizationId });
    return output.result({ url, organizationId }, `Logged in at ${url}.`);
  }
  const apiKey = await readSecret('Key of the agent');
  const { agent } = await sessionWith(url, apiKey).api.chatbot.getPublic({ idOrHandle: called });
  const { id, handle, name } = agent;
  const others = before.agents.filter((other) => other.id !== id);
  await saveSettings({ ...before, agents: [...others, { id, handle, name, apiKey }] });
  output.result({ url, agentId: id }, `The key of ${name} is saved for ${url}.`);
}
