import * as z from 'zod';
import { name, nextCursor, pageIfAsked } from './common.ts';
import { idOf } from './id.ts';
import { route } from './route.ts';

/** A group of agents and members. An agent in teams is accessible only to their members, and to owners and admins. */
export const Team = z.object({
  id: idOf('team'),
  organizationId: idOf('organization'),
  name: z.string(),
  agents: z.array(idOf('agent')),
  /** User ids. */
  members: z.array(idOf('user')),
});
export type Team = z.infer<typeof Team>;

const agents = z.array(idOf('agent')).max(500);
const members = z.array(idOf('user')).max(500);
const One = z.object({ team: Team });

export const team = {
  list: route({
    method: 'GET',
    path: '/v1/platform/team/organization/{orgId}',
    summary: "An organization's teams",
    input: z.strictObject({ orgId: idOf('organization'), ...pageIfAsked }),
    output: z.object({ teams: z.array(Team), nextCursor }),
  }),
  get: route({
    method: 'GET',
    path: '/v1/platform/team/{id}',
    summary: 'Read a team',
    input: z.strictObject({ id: idOf('team') }),
    output: One,
  }),
  create: route({
    method: 'POST',
    path: '/v1/platform/team',
    summary: 'Create a team',
    input: z.strictObject({
      organizationId: idOf('organization'),
      name: name(80),
      agents: agents.default([]),
    }),
    output: One,
  }),
  update: route({
    method: 'PUT',
    path: '/v1/platform/team/{id}',
    summary: 'Change a team',
    input: z.strictObject({
      id: idOf('team'),
      name: name(80).optional(),
      agents: agents.optional(),
      members: members.optional(),
      /** With it, saving over what someone else has since saved in the same field is a 409; `now` in its `errors` holds it. */
      seen: Team.pick({ name: true, agents: true, members: true }).partial().optional(),
    }),
    output: One,
  }),
  remove: route({
    method: 'DELETE',
    path: '/v1/platform/team/{id}',
    summary: 'Delete a team',
    input: z.strictObject({ id: idOf('team') }),
    output: z.object({ deleted: z.literal(true) }),
  }),
};
