import { useQuery } from '@tanstack/react-query';
import { may, type Permission } from '../../contract/access.ts';
import { roleQuery } from '../queries/queries.ts';

/**
 * Whether the caller's role allows something in an organization. True until the role is known: the server refuses what
 * is not allowed, and nothing flickers for the many who are allowed.
 */
export function useMay(orgId: string, permission: Permission): boolean {
  return useKnownMay(orgId, permission) ?? true;
}

/** Undefined until the role is known: for components that call the server as soon as they are shown. */
export function useKnownMay(orgId: string, permission: Permission): boolean | undefined {
  const { data: role } = useQuery(roleQuery(orgId));
  return role && may(role, permission);
}
