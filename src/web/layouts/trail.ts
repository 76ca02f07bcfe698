import { useMatches, useRouter, type AnyRouter } from '@tanstack/react-router';
import { t } from '../messages/t.ts';
import type { RouteData } from '../routing/route-data.ts';
import { subjectNames, type SubjectNames } from '../routing/subject-names.ts';
import { useStore } from '../store.ts';

/** One page on the way to another. */
export interface Step {
  /** Its route. */
  to: string;
  title: string;
}

/** Below it pages lie within pages; elsewhere an address that begins with another means nothing. */
const NESTED = '/platform/{-$orgId}/';

type RoutesByPath = Readonly<Record<string, { options: { staticData?: RouteData } }>>;

/**
 * The pages on the way to the one of a route, itself the last. An agent's pages begin with the agent: those of the
 * organization, which lead to it, are in the side bar.
 */
export function stepsTo(routes: RoutesByPath, path: string, names: SubjectNames): Step[] {
  const steps: Step[] = [];
  const parts = path.replace(/\/$/, '').split('/');
  for (let length = 1; length <= parts.length; length += 1) {
    const to = parts.slice(0, length).join('/');
    const { title, subject } = routes[to]?.options.staticData ?? {};
    if (!title || (length < parts.length && !to.startsWith(NESTED))) continue;
    if (subject === 'agent') steps.length = 0;
    steps.push({ to, title: (subject && names[subject]) ?? t(title) });
  }
  return steps;
}

/** The way to the page that is shown. */
export function useTrail(): Step[] {
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' });
  const names = useStore(subjectNames);
  const router: AnyRouter = useRouter();
  return stepsTo(router.routesByPath, path, names);
}

/** What the window's title says of a page: first what is most particular. */
export function titleOfTrail(titles: readonly string[]): string {
  return titles.reduce((parent, title) => t('page.within', { title, parent }));
}
