import { useQuery } from '@tanstack/react-query';
import { may, type Permission } from '../../contract/access.ts';
import { roleQuery } from '../queries/queries.ts';

/**
 * Whether the caller's role allows something in an organization. Until the role is known, yes: the server refuses what is
 * not allowed, and nothing flickers for the many who are allowed.
 */
export function useMay(orgId: string, permission: Permission): boolean {
  return useKnownMay(orgId, permission) ?? true;
}

/** Undefined until the role is known: for what asks the server by itself as soon as it is shown. */
export function useKnownMay(orgId: string, permission: Permission): boolean | undefined {
  const { data: role } = useQuery(roleQuery(orgId));
  return role && may(role, permission);
}
