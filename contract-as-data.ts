import type { Plugin } from 'vite';
import { contract } from './src/contract/index.ts';
import type { Route } from './src/contract/route.ts';
import { laterAreas } from './src/web/api/later-areas.ts';

/** Short, since every page carries all calls: `GET chat/{id}`, plus the carrier where the method doesn't imply it. */
function short({ method, path, carrier }: Route): string {
  const usual = method === 'GET' ? 'query' : 'body';
  return [method, path.replace(PREFIX, ''), ...(carrier === usual ? [] : [carrier])].join(' ');
}

/** The prefix of most paths. */
const PREFIX = '/v1/';

/** Runs in the page: turns what `short` wrote back into calls. */
const unpack = `(areas) => {
  const of = (entries, make) => Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, make(value)]));
  return of(areas, (area) => of(area, (short) => {
    const [method, rest, carrier = method === 'GET' ? 'query' : 'body'] = short.split(' ');
    return { method, path: rest[0] === '/' ? rest : '${PREFIX}' + rest, carrier };
  }));
}`;

const files = [
  { name: 'calls.ts', exported: 'calls', isLater: false },
  { name: 'later-calls.ts', exported: 'laterCalls', isLater: true },
];

const isLater = (area: string): boolean => laterAreas.some((later) => later === area);

/**
 * Replaces `src/web/api/calls.ts` and `src/web/api/later-calls.ts` with the contract's calls as data. Vite restarts
 * when the contract changes, because its configuration imports it.
 */
export function contractAsData(): Plugin {
  return {
    name: 'contract-as-data',
    enforce: 'pre',
    load(id) {
      const file = files.find(({ name }) => id.endsWith(`/src/web/api/${name}`));
      if (!file) return undefined;
      const areas = Object.entries(contract).filter(([area]) => isLater(area) === file.isLater);
      const calls = Object.fromEntries(
        areas.map(([area, routes]) => [
          area,
          Object.fromEntries(Object.entries<Route>(routes).map(([name, route]) => [name, short(route)])),
        ]),
      );
      return `export const ${file.exported} = (${unpack})(${JSON.stringify(calls)});`;
    },
  };
}
