import type { Plugin } from 'vite';
import { contract } from './src/contract/index.ts';
import type { Route } from './src/contract/route.ts';

const pick = ({ method, path, carrier }: Route) => ({ method, path, carrier });

/**
 * Puts the calls of the contract, as data, in the place of `src/web/calls.ts`. Vite restarts when the contract changes,
 * because its configuration imports it.
 */
export function contractAsData(): Plugin {
  return {
    name: 'contract-as-data',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith('/src/web/calls.ts')) return undefined;
      const calls = Object.fromEntries(
        Object.entries(contract).map(([area, routes]) => [
          area,
          Object.fromEntries(Object.entries<Route>(routes).map(([name, route]) => [name, pick(route)])),
        ]),
      );
      return `export const calls = ${JSON.stringify(calls)};`;
    },
  };
}
