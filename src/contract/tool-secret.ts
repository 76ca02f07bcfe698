import type { Authentication } from './tool.ts';

/** Whether nothing can be called without a secret. Where each person has an account of their own, there may be none. */
export function needsSecret({ type }: Pick<Authentication, 'type'>): boolean {
  return type !== 'none' && type !== 'authorizationCode';
}
