import { contract } from '../../../contract/index.ts';
import type { Route } from '../../../contract/route.ts';

/** The calls that change something, under the names that the log has for them. */
const changes: [action: string, title: string][] = Object.entries(contract).flatMap(([area, calls]) =>
  Object.entries(calls as Record<string, Route>)
    .filter(([, { method, access }]) => method !== 'GET' && access !== 'public')
    .map(([name, { summary }]): [string, string] => [`${area}.${name}`, summary]),
);

const titles = new Map(changes);

/** `member.invite` is `Invite people`. */
export const titleOf = (action: string): string => titles.get(action) ?? action;

export const actions = changes.map(([value, label]) => ({ value, label }));
