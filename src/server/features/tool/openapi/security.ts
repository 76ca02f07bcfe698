import { Authentication } from '../../../../contract/tool.ts';
import { methods } from './operations.ts';
import { at, isNode, type Place, type References } from './references.ts';

const NONE: Authentication = { type: 'none' };

/**
 * The authentication most operations use: a tool has one for all of them. Other schemes (OAuth, two keys at once) are
 * for a member to set up, so nothing is proposed for them.
 */
export function readAuthentication(root: Place, references: References): Authentication {
  const usual = at(root.node, 'security');
  const schemes = { node: at(at(root.node, 'components'), 'securitySchemes'), base: root.base };
  const paths = at(root.node, 'paths');
  const votes = new Map<string, { count: number; way: Authentication }>();
  for (const item of isNode(paths) ? Object.values(paths) : []) {
    const { node } = references.resolve({ node: item, base: root.base });
    for (const operation of methods.map((method) => at(node, method)).filter(isNode)) {
      const way = wayOf(at(operation, 'security') ?? usual, schemes, references);
      const key = JSON.stringify(way);
      votes.set(key, { count: (votes.get(key)?.count ?? 0) + 1, way });
    }
  }
  const [most] = [...votes.values()].toSorted((a, b) => b.count - a.count);
  return most?.way ?? NONE;
}

/** The first offered scheme that we support; an empty one means none is needed. */
function wayOf(offered: unknown, schemes: Place, references: References): Authentication {
  const ways = Array.isArray(offered) ? offered.filter(isNode).map((way) => Object.keys(way)) : [];
  if (ways.some((names) => names.length === 0)) return NONE;
  for (const [name = '', ...others] of ways) {
    const way = others.length === 0 && readScheme({ ...schemes, node: at(schemes.node, name) }, references);
    if (way) return way;
  }
  return NONE;
}

function readScheme(place: Place, references: References): Authentication | undefined {
  const reference = at(place.node, '$ref');
  // Not worth fetching another document, nor rejecting this one.
  if (typeof reference === 'string' && !reference.startsWith('#/components/')) return undefined;
  const { node } = references.resolve(place);
  const [type, scheme] = [at(node, 'type'), String(at(node, 'scheme')).toLowerCase()];
  if (type === 'http' && scheme === 'bearer') return { type: 'bearer' };
  // No document knows the user name.
  if (type === 'http' && scheme === 'basic') return { type: 'basic', username: '' };
  return Authentication.safeParse({ type, in: at(node, 'in'), name: at(node, 'name') }).data;
}
