import type { Plugin } from 'vite';
import { contract } from './src/contract/index.ts';
import type { Route } from './src/contract/route.ts';
import { laterAreas } from './src/web/api/later-areas.ts';

/** Short, since every page carries all of them: `GET chat/{id}`, and how it travels where its method does not say so. */
function short({ method, path, carrier }: Route): string {
  const usual = method === 'GET' ? 'query' : 'body';
  return [method, path.replace(PREFIX, ''), ...(carrier === usual ? [] : [carrier])].join(' ');
}

/** What most paths begin with. */
const PREFIX = '/v1/';

/** Of the page: makes calls of what `short` has written. */
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
 * Puts the calls of the contract, as data, in the place of `src/web/api/calls.ts` and `src/web/api/later-calls.ts`. Vite restarts
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
