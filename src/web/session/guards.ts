import { notFound, redirect } from '@tanstack/react-router';
import { currentChatbotId } from './current-chatbot.ts';
import { lastOrganization } from './current-organization.ts';
import { t } from '../messages/t.ts';
import { PageError } from '../routing/page-error.ts';
import { organizationsQuery } from '../queries/queries.ts';
import { queryClient } from '../queries/query-client.ts';
import { rememberPage } from './return-to.ts';
import type { RouteData } from '../routing/route-data.ts';
import { knownSession } from './session.ts';

/** Where somebody is about to go. */
export interface Destination {
  /** Path and query. */
  href: string;
  params: Readonly<Record<string, string>>;
  /** True while the page is only being preloaded. */
  preload: boolean;
}

type Guard = (destination: Destination) => Promise<void> | void;

const guards: Readonly<Record<string, Guard>> = {
  'is-auth': requireMember,
  'is-signed-in': requirePerson,
  'organization-redirect': requireOrganization,
  'set-chatbot-id': keepChatbotId,
};

/** Sends people who are signed out or lack the member claim to sign up. */
async function requireMember({ href }: Destination): Promise<void> {
  const { user } = await knownSession();
  if (user?.isMember) return;
  rememberPage(href);
  throw redirect({ to: '/auth', search: { signup: true } });
}

/** For a page where non-members have something of their own. */
async function requirePerson({ href }: Destination): Promise<void> {
  const { user } = await knownSession();
  if (user) return;
  rememberPage(href);
  throw redirect({ to: '/auth', search: { signup: true } });
}

/** An address without an organization means the last one used, otherwise the first. */
async function requireOrganization({ href, params }: Destination): Promise<void> {
  if (params['orgId']) {
    lastOrganization.set(params['orgId']);
    return;
  }
  const organizations = await queryClient.ensureQueryData(organizationsQuery());
  const last = lastOrganization.get();
  const chosen = organizations.find(({ id }) => id === last) ?? organizations[0];
  if (!chosen) throw redirect({ to: '/platform' });
  throw redirect({ href: href.replace(/^\/platform(?=\/|$)/, `/platform/${chosen.id}`), replace: true });
}

/** Stores the route's agentId as the current chatbot ID. */
function keepChatbotId({ params, preload }: Destination): void {
  if (!preload) currentChatbotId.set(params['agentId'] ?? null);
}

/** Runs the checks of a page's routes, outermost first: all validate rules, then all guards. */
export async function admit(routes: readonly RouteData[], destination: Destination): Promise<void> {
  if (routes.some(({ validate }) => validate && !validate(destination.params))) {
    // The layout of the not-found page depends on who asks.
    await knownSession().catch(() => undefined);
    throw notFound();
  }
  for (const name of routes.flatMap((route) => route.guards ?? [])) {
    const guard = guards[name];
    if (!guard) throw new PageError(500, t('error.unknownMiddleware'));
    await guard(destination);
  }
}
