import { IconFileText } from '@tabler/icons-react';
import type { AnyRouter } from '@tanstack/react-router';
import { may, type Role } from '../../contract/access.ts';
import type { Command } from '../ui/command-box.tsx';
import { stepsTo } from '../layouts/trail.ts';
import type { Place } from './use-place.ts';

/** The parts of the product with pages one can go to; to the others one is led. */
const PARTS = /^\/(platform\/\{-\$orgId\}|app|chat)\//;

/** Pages that create something are listed among the actions. */
const BEGUN = /\/(create|invite)$/;

/**
 * Every page that the current address has enough parameters for and that the role may open, from the route data; the
 * current agent's first.
 */
export function pagesFor(
  router: AnyRouter,
  { orgId, agentId }: Place,
  role: Role | undefined,
  agentName: string | undefined,
): Command[] {
  const known: Record<string, string | undefined> = { orgId, agentId };
  const names = agentName === undefined ? {} : { agent: agentName };
  const isNear = (path: string) => path.includes('$agentId');
  const routes = Object.entries(router.routesByPath);
  const nearFirst = routes.toSorted(
    ([a], [b]) => Number(isNear(b)) - Number(isNear(a)) || a.length - b.length,
  );
  return nearFirst.flatMap(([path, route]) => {
    const { title, subject, needs } = route.options.staticData ?? {};
    if (!PARTS.test(path) || BEGUN.test(path) || !title || subject) return [];
    const given = [...path.matchAll(/\$(\w+)/g)].every(
      ([, name = '']) => known[name] ?? path.startsWith('/chat'),
    );
    if (!given || (needs && !(role && may(role, needs)))) return [];
    const steps = stepsTo(router.routesByPath, path, names);
    const run = () => void router.navigate({ to: path, params: { orgId, agentId }, search: {} } as never);
    return {
      id: `page-${path.replaceAll(/\W+/g, '-')}`,
      title: steps.at(-1)?.title ?? '',
      detail: steps
        .slice(0, -1)
        .map((step) => step.title)
        .join(' › '),
      icon: <IconFileText size="1.25em" aria-hidden />,
      run,
    };
  });
}
