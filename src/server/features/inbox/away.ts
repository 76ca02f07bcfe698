import type { Tx } from '../../db/scope.ts';
import { isOpenAt } from './office-hours.ts';
import { readSetting } from './setting-store.ts';

/** What to tell someone who waits for a person outside office hours; null within them. */
export async function awayNotice(tx: Tx, organizationId: string): Promise<string | null> {
  const { officeHours, awayMessage } = await readSetting(tx, organizationId);
  return officeHours === null || isOpenAt(officeHours, new Date()) ? null : awayMessage;
}
