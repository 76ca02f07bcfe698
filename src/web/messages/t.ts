import type { chatLinksMessages } from './en-chat-links.ts';
import type { endUsersMessages } from './en-end-users.ts';
import type { estimateMessages } from './en-estimate.ts';
import type { frontMessages } from './en-front.ts';
import type { improvementMessages } from './en-improvement.ts';
import type { inboxMessages } from './en-inbox.ts';
import type { insightsMessages } from './en-insights.ts';
import type { pluginsMessages } from './en-plugins.ts';
import type { privacyMessages } from './en-privacy.ts';
import type { toolsMessages } from './en-tools.ts';
import type { sellingMessages } from './en-selling.ts';
import type { storefrontMessages } from './en-storefront.ts';
import { firstMessages } from './en-first.ts';
import type { en } from './en.ts';
import { language } from './language.ts';
import { translator, type KeyOf } from './translate.ts';

/** Texts loaded with the screens that show them, instead of with every page. */
type Later = typeof chatLinksMessages &
  typeof endUsersMessages &
  typeof estimateMessages &
  typeof frontMessages &
  typeof improvementMessages &
  typeof inboxMessages &
  typeof insightsMessages &
  typeof pluginsMessages &
  typeof privacyMessages &
  typeof sellingMessages &
  typeof storefrontMessages &
  typeof toolsMessages;

export type MessageKey = KeyOf<typeof en & Later>;

const known: Record<string, string> = { ...firstMessages };

/** The interface text for a key. */
export const t = translator(known as typeof en & Later, language);

/** Every page except the first ones waits for this: afterwards all texts are available. */
export async function loadMessages(): Promise<void> {
  Object.assign(known, (await import('./en.ts')).en);
}

/** For screens whose texts no other page shows. */
export function addMessages(messages: Partial<Later>): void {
  Object.assign(known, messages);
}
