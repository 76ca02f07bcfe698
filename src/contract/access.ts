/** The role table as data: the server enforces it, the screens hide controls by it, the tests are generated from it. */

export const roles = ['owner', 'admin', 'editor', 'viewer'] as const;
export type Role = (typeof roles)[number];

export const permissions = {
  /** Billing, connect account, deleting or transferring the organization. */
  'organization.own': ['owner'],
  /** Organization profile, members, invites, teams, API keys, audit log. */
  'organization.manage': ['owner', 'admin'],
  'organization.read': ['owner', 'admin', 'editor', 'viewer'],
  /** Creating, changing, publishing and deleting agents and everything that belongs to them. */
  'agent.write': ['owner', 'admin', 'editor'],
  /** Seeing agents, insights, users and conversations, for agents in no team and those in one of one's own teams. */
  'agent.read': ['owner', 'admin', 'editor', 'viewer'],
  /** The same for every agent, whatever its teams. */
  'agent.all': ['owner', 'admin'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof permissions;

export function may(role: Role, permission: Permission): boolean {
  return (permissions[permission] as readonly Role[]).includes(role);
}
