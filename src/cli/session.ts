import { createClient, type Client, type ClientOptions } from '../contract/client.ts';
import { contract, type ParleyContract } from '../contract/index.ts';
import type { Chatbot } from '../contract/chatbot.ts';
import { CliError, notLoggedIn, wrongUsage } from './cli-error.ts';
import { readEnvironment, readSettings } from './settings.ts';

/** The calls available to one bearer. */
export interface Session {
  api: Client<ParleyContract>;
  options: ClientOptions;
}

export function sessionWith(url: string, key: string): Session {
  const options = { baseUrl: url, token: () => key };
  return { api: createClient(contract, options), options };
}

/** The address in the form under which keys are kept. */
export function serverAt(address: string): string {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol))
    throw wrongUsage(`${address} is not an http or https address.`);
  return url.origin;
}

export interface OrganizationSession extends Session {
  organizationId: string;
}

/** With the organization's key. Errors: not logged in. */
export async function organizationSession(): Promise<OrganizationSession> {
  const environment = readEnvironment();
  const kept = await readSettings();
  const url = environment.url === undefined ? kept?.url : serverAt(environment.url);
  // A key belongs to the server it was saved for, and is never sent to another.
  const isKept = kept !== undefined && url === kept.url;
  const key = environment.apiKey ?? (isKept ? kept.apiKey : null);
  if (url === undefined || !key)
    throw notLoggedIn('This needs an API key of your organization. Run "parley login <url>" first.');
  const session = sessionWith(url, key);
  if (isKept && key === kept.apiKey && kept.organizationId !== null)
    return { ...session, organizationId: kept.organizationId };
  return { ...session, organizationId: await organizationOf(session) };
}

/** The one organization that an API key belongs to. */
export async function organizationOf({ api }: Session): Promise<string> {
  const { organizations } = await api.organization.list();
  const [organization] = organizations;
  if (!organization) throw new CliError('This key does not belong to an organization.');
  return organization.id;
}

/** Errors: no agent, or several, have this name. */
export async function findAgent(
  { api, organizationId }: OrganizationSession,
  called: string,
): Promise<Chatbot> {
  const { chatbots } = await api.chatbot.list({ organizationId });
  const [found, ...others] = thoseCalled(chatbots, called);
  if (!found) throw new CliError(`No agent called "${called}" was found.`);
  if (others.length > 0) throw new CliError(`Several agents are called "${called}". Use an id.`);
  return found;
}

/** With the agent's own key, the only one that lets a program ask it. Errors: there is none. */
export async function agentSession(called: string): Promise<Session & { agentId: string }> {
  const environment = readEnvironment();
  const kept = await readSettings();
  const url = environment.url === undefined ? kept?.url : serverAt(environment.url);
  if (url !== undefined && environment.agentKey !== undefined) {
    const session = sessionWith(url, environment.agentKey);
    return { ...session, agentId: (await session.api.chatbot.getPublic({ idOrHandle: called })).agent.id };
  }
  const [found, ...others] = kept && url === kept.url ? thoseCalled(kept.agents, called) : [];
  if (others.length > 0) throw new CliError(`Several agents are called "${called}". Use an id.`);
  if (url === undefined || !found) {
    const how = `parley login ${url ?? '<url>'} --agent ${called}`;
    throw notLoggedIn(
      `Asking needs the agent’s own key, which you create in its settings under Share; an API key of the organization cannot chat. Save the key with: ${how}`,
    );
  }
  return { ...sessionWith(url, found.apiKey), agentId: found.id };
}

function thoseCalled<A extends { id: string; handle: string; name: string }>(
  agents: A[],
  called: string,
): A[] {
  const exact = agents.filter(({ id, handle }) => id === called || handle === called);
  return exact.length > 0 ? exact : agents.filter(({ name }) => name === called);
}
