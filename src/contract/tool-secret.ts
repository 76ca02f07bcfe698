import type { Authentication } from './tool.ts';

/** Whether nothing can be called without a secret. If each person has their own account, there may be none. */
export function needsSecret({ type }: Pick<Authentication, 'type'>): boolean {
  return type !== 'none' && type !== 'authorizationCode';
}
