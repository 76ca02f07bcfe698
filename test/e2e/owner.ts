import type { BrowserContext } from '@playwright/test';
import { registerInBrowser, type BrowserClient } from '../browser-client.ts';
import type { Server } from './server.ts';

/** A person with an organization and an agent, created over the API: for journeys that start with these. */
export interface Owner extends BrowserClient {
  organizationId: string;
  agentId: string;
  /** The organization's pages. */
  base: string;
  /** The agent's pages. */
  agentBase: string;
  signIn: (context: BrowserContext) => Promise<void>;
  /** The session renews itself as the page is used: call this before the context is closed and another one signs in. */
  keepSession: (context: BrowserContext) => Promise<void>;
}

export async function startOwner(server: Server, name = 'ada'): Promise<Owner> {
  const browser = await registerInBrowser(server.url, name);
  const { client, jar } = browser;
  const { organization } = await client.organization.create({ name: 'Acme' });
  const { chatbot } = await client.chatbot.create({ organizationId: organization.id, name: 'Helper' });
  const base = `${server.url}/platform/${organization.id}`;
  return {
    ...browser,
    keepSession: async (context) => {
      for (const { name: cookie, value } of await context.cookies(server.url)) jar.set(cookie, value);
    },
    organizationId: organization.id,
    agentId: chatbot.id,
    base,
    agentBase: `${base}/agent/${chatbot.id}`,
    signIn: (context) =>
      context.addCookies([...jar].map(([cookie, value]) => ({ name: cookie, value, url: server.url }))),
  };
}
