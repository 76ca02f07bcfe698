import { useMatches, useRouter, type AnyRouter } from '@tanstack/react-router';
import { t } from '../messages/t.ts';
import type { RouteData } from '../routing/route-data.ts';
import { subjectNames, type SubjectNames } from '../routing/subject-names.ts';
import { useStore } from '../store.ts';

/** A page on the way to another. */
export interface Step {
  /** Its route. */
  to: string;
  title: string;
}

/** Below it pages are nested; elsewhere an address with the same prefix means nothing. */
const NESTED = '/platform/{-$orgId}/';

type RoutesByPath = Readonly<Record<string, { options: { staticData?: RouteData } }>>;

/**
 * The pages on the way to a route's page, which is the last. An agent's pages start with the agent: the organization's,
 * which lead to it, are in the sidebar.
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

/** The path to the current page. */
export function useTrail(): Step[] {
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' });
  const names = useStore(subjectNames);
  const router: AnyRouter = useRouter();
  return stepsTo(router.routesByPath, path, names);
}

/** A page's window title, most specific part first. */
export function titleOfTrail(titles: readonly string[]): string {
  return titles.reduce((parent, title) => t('page.within', { title, parent }));
}
