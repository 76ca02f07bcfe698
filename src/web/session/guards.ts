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
  /** True while the page is only being fetched ahead. */
  preload: boolean;
}

type Guard = (destination: Destination) => Promise<void> | void;

const guards: Readonly<Record<string, Guard>> = {
  'is-auth': requireMember,
  'is-signed-in': requirePerson,
  'organization-redirect': requireOrganization,
  'set-chatbot-id': keepChatbotId,
};

/** Signed-out people and those without the member claim are sent to sign up. */
async function requireMember({ href }: Destination): Promise<void> {
  const { user } = await knownSession();
  if (user?.isMember) return;
  rememberPage(href);
  throw redirect({ to: '/auth', search: { signup: true } });
}

/** Of a page on which people who are no members have something of their own. */
async function requirePerson({ href }: Destination): Promise<void> {
  const { user } = await knownSession();
  if (user) return;
  rememberPage(href);
  throw redirect({ to: '/auth', search: { signup: true } });
}

/** An address without an organization means the one used last, or else the first. */
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

/** Keeps the route's agentId as the current chatbot id. */
function keepChatbotId({ params, preload }: Destination): void {
  if (!preload) currentChatbotId.set(params['agentId'] ?? null);
}

/** Runs what the routes of a page demand, outermost first: all validate rules, then all guards. */
export async function admit(routes: readonly RouteData[], destination: Destination): Promise<void> {
  if (routes.some(({ validate }) => validate && !validate(destination.params))) {
    // In which frame that is said depends on who asks.
    await knownSession().catch(() => undefined);
    throw notFound();
  }
  for (const name of routes.flatMap((route) => route.guards ?? [])) {
    const guard = guards[name];
    if (!guard) throw new PageError(500, t('error.unknownMiddleware'));
    await guard(destination);
  }
}
