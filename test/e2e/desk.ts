import { expect, type Page } from '@playwright/test';
import { startProvider, type Provider } from '../stand-ins/provider.ts';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** An agent open to everybody, with a stand-in for its model: for journeys within one conversation. */
export interface Desk {
  server: Server;
  owner: Owner;
  /** Sets what the model says from now on. */
  say: (text: string, betweenPiecesMs?: number) => void;
  /** Begins a conversation as a guest. */
  begin: (page: Page) => Promise<void>;
  close: () => Promise<void>;
}

export async function startDesk(): Promise<Desk> {
  const provider: Provider = await startProvider({ pieces: ['Nothing yet.'] });
  // All guests here share one address.
  const server = await Server.start({
    ...provider.environment,
    SEED_DEMO: 'off',
    GUEST_CONVERSATIONS_PER_HOUR: '1000',
  });
  const owner = await startOwner(server);
  return {
    server,
    owner,
    say: (text, betweenPiecesMs = 0) => {
      provider.script = { pieces: text.match(/[\s\S]{1,8}/g) ?? [], betweenPiecesMs };
    },
    begin: async (page) => {
      await page.goto(`${server.url}/chat/${owner.agentId}`);
      await field(page).waitFor();
    },
    close: async () => {
      await server.remove();
      await provider.close();
    },
  };
}

export const field = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
export const answers = (page: Page) => page.locator('li[aria-busy]');
export const region = (page: Page) => page.getByRole('region', { name: 'Conversation' });

export async function ask(page: Page, question: string): Promise<void> {
  await field(page).fill(question);
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
  await field(page).press('Enter');
}

/** Asks, and waits until the answer is complete. */
export async function askWhole(page: Page, desk: Desk, question: string, answer: string): Promise<void> {
  desk.say(answer);
  const before = await answers(page).count();
  await ask(page, question);
  await expect(answers(page)).toHaveCount(before + 1);
  await expect(page.locator('li[aria-busy="true"]')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeHidden();
}

/** Waits until each is attached, or rejected by name. */
export async function attach(
  page: Page,
  files: { name: string; mimeType: string; buffer: Buffer }[],
): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (await choosing).setFiles(files);
  for (const { name } of files) {
    const comes = page.getByRole('button', { name: `Remove ${name}` });
    await expect(comes.or(page.getByRole('alert').getByText(name)).first()).toBeVisible();
  }
}

/** From an agent's chat. Returns the address where others join. */
export async function openRoom(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Open a room' }).click();
  await page.getByRole('button', { name: 'Create invite link' }).click();
  const address = await page.getByRole('textbox', { name: 'Anyone with the link' }).inputValue();
  await page.keyboard.press('Escape');
  return address;
}

/** In the list of people in a room, as a guest. */
export async function nameOneself(page: Page, name: string): Promise<void> {
  const people = page.getByRole('dialog', { name: 'People in this room' });
  await people.getByRole('textbox', { name: 'Your name' }).fill(name);
  await people.getByRole('button', { name: 'Save' }).click();
  await expect(people.getByRole('listitem').filter({ hasText: `${name}You` })).toBeVisible();
  await page.keyboard.press('Escape');
}

/** Waits until no more of the application is being loaded. */
export async function allScripts(page: Page): Promise<void> {
  const count = () => page.evaluate(() => performance.getEntriesByType('resource').length);
  const coming = async () => {
    const before = await count();
    await page.waitForTimeout(1000);
    return (await count()) - before;
  };
  await expect.poll(coming).toBe(0);
}
