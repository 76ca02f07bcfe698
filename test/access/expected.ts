import type { TestClient } from '../product.ts';
import {
  callers,
  chatters,
  persons,
  type CallerKind,
  type ChatterKind,
  type PersonKind,
  type World,
} from './world.ts';

export interface Row {
  /** The input to send for this caller. */
  input: (world: World, caller: CallerKind) => Record<string, unknown>;
  /** Dedicated callers, for a call after which nobody is signed in any more. */
  as?: (world: World, caller: CallerKind) => TestClient;
  /** The status for every kind of caller. */
  expect: Record<CallerKind, number>;
}

/** The same status for everybody except those named. Visitors may do only what is explicitly allowed here. */
export function all(
  status: number,
  but: Partial<Record<CallerKind, number>> = {},
): Record<CallerKind, number> {
  return {
    ...(Object.fromEntries(callers.map((kind) => [kind, status])) as Record<CallerKind, number>),
    visitor: 403,
    agentKey: 403,
    ...but,
  };
}

/** The same, including those who are there to chat. */
export function allWithVisitors(
  status: number,
  but: Partial<Record<CallerKind, number>> = {},
): Record<CallerKind, number> {
  return all(status, { visitor: status, agentKey: status, ...but });
}

/** Keys aren't persons: a person's own things are not for them. */
export const notPersons = { readKey: 403, writeKey: 403 } as const;
export const signedOut = { anonymous: 401, ...notPersons } as const;
export const notMembers = { anonymous: 401, guest: 403, unregistered: 403 } as const;
/** Members of the organization from a role upward; for anybody else it does not exist. */
export const readers = all(200, { ...notMembers, outsider: 404 });
export const writers = { ...readers, viewer: 403, readKey: 403 };
/** A caller allowed to explore websites is told that this one is not public. */
export const lookers = { ...all(400, { ...notMembers, outsider: 404 }), viewer: 403, readKey: 403 };
export const managers = { ...writers, editor: 403, writeKey: 403 };
export const owners = { ...managers, admin: 403 };

/** The status callers with write access get for something that doesn't exist; nobody else learns anything. */
export const notThere = { ...all(404, notMembers), viewer: 403, readKey: 403 };

export const nothing = () => ({});
/** The caller's own; a caller that is not a person tries a guest's. */
export const personOf = (caller: CallerKind): PersonKind =>
  persons.find((kind) => kind === caller) ?? 'guest';
export const own = (world: World, caller: CallerKind) =>
  world.conversationOf[chatters.find((kind): kind is ChatterKind => kind === caller) ?? 'guest'];
export const ownUser = (world: World, caller: CallerKind) => world.userIdOf[personOf(caller)];
export const organization = (world: World) => ({ organizationId: world.organizationId });
export const inOrganization = (world: World) => ({ orgId: world.organizationId });
export const agent = (world: World) => ({ id: world.agentId });
export const agentInOrganization = (world: World) => ({
  id: world.agentId,
  organizationId: world.organizationId,
});
export const item = (world: World) => ({ id: world.agentId, knowledgeId: world.knowledgeId });

export const inside = (world: World) => ({ ...agentInOrganization(world), website: 'http://127.0.0.1/' });
