import { expect, type BrowserContext, type Page } from '@playwright/test';
import type { Server } from './server.ts';

/** In a separate tab. */
export async function signOut(server: Server, context: BrowserContext): Promise<void> {
  const tab = await context.newPage();
  await tab.goto(`${server.url}/auth/signout`);
  const sure = tab.getByRole('button', { name: 'Sign out' });
  await expect(sure.or(tab.getByRole('link', { name: 'Sign in' })).first()).toBeVisible();
  if (await sure.isVisible()) await sure.click();
  await expect(tab).toHaveURL(`${server.url}/`);
  await tab.close();
}

/** On a page that requests it, by email. */
export async function signIn(server: Server, page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send sign-in link' }).click();
  await expect(page.getByRole('heading', { name: 'No e-mail was sent' })).toBeVisible();
  await page.goto(await linkOfMail(server, page.context(), email));
}

/** In a separate tab. */
export async function signInElsewhere(server: Server, context: BrowserContext, email: string): Promise<void> {
  const tab = await context.newPage();
  await tab.goto(`${server.url}/auth`);
  await signIn(server, tab, email);
  await expect(tab).not.toHaveURL(/\/auth(\?.*|\/email-verification.*)?$/);
  await tab.close();
}

export async function linkOfMail(server: Server, context: BrowserContext, email: string): Promise<string> {
  const inbox = await context.newPage();
  await inbox.goto(`${server.url}/dev/inbox`);
  const mail = inbox.locator('article', { hasText: `To ${email}` }).first();
  const link = await mail.getByRole('link', { name: 'email-verification' }).first().getAttribute('href');
  await inbox.close();
  return link ?? '';
}
