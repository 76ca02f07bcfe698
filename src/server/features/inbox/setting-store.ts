import { and, asc, count, eq } from 'drizzle-orm';
import type { CannedAnswer, InboxSetting } from '../../../contract/inbox.ts';
import { cannedAnswer, inboxSetting, organization } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { naturally } from '../../db/words.ts';
import { newId } from '../../id.ts';

const DEFAULT: InboxSetting = {
  officeHours: null,
  awayMessage: 'No one is here right now. Leave your message and we will answer as soon as we are back.',
  notify: 'managers',
};

export async function readSetting(tx: Tx, organizationId: string): Promise<InboxSetting> {
  const [found] = await tx
    .select({
      officeHours: inboxSetting.officeHours,
      awayMessage: inboxSetting.awayMessage,
      notify: inboxSetting.notify,
    })
    .from(inboxSetting)
    .where(eq(inboxSetting.organizationId, organizationId));
  return found ?? DEFAULT;
}

type SettingChanges = { [Field in keyof InboxSetting]?: InboxSetting[Field] | undefined };

/** Omitted fields stay as they are. */
export async function writeSetting(tx: Tx, organizationId: string, changes: SettingChanges): Promise<void> {
  const {
    officeHours = DEFAULT.officeHours,
    awayMessage = DEFAULT.awayMessage,
    notify = DEFAULT.notify,
  } = changes;
  await tx
    .insert(inboxSetting)
    .values({ organizationId, officeHours, awayMessage, notify })
    .onConflictDoUpdate({ target: inboxSetting.organizationId, set: { organizationId, ...changes } });
}

export async function listCanned(tx: Tx, organizationId: string): Promise<CannedAnswer[]> {
  return tx
    .select({ id: cannedAnswer.id, title: cannedAnswer.title, text: cannedAnswer.text })
    .from(cannedAnswer)
    .where(eq(cannedAnswer.organizationId, organizationId))
    .orderBy(naturally(cannedAnswer.title), asc(cannedAnswer.id));
}

/** Concurrent counts for this organization wait until this transaction ends, so that the number stays correct. */
export async function countCanned(tx: Tx, organizationId: string): Promise<number> {
  await tx
    .select({ id: organization.id })
    .from(organization)
    .where(eq(organization.id, organizationId))
    .for('no key update');
  const [row] = await tx
    .select({ kept: count() })
    .from(cannedAnswer)
    .where(eq(cannedAnswer.organizationId, organizationId));
  return row?.kept ?? 0;
}

export async function insertCanned(
  tx: Tx,
  organizationId: string,
  { title, text }: Pick<CannedAnswer, 'title' | 'text'>,
): Promise<CannedAnswer> {
  const made = { id: newId('cannedAnswer'), title, text };
  await tx.insert(cannedAnswer).values({ ...made, organizationId });
  return made;
}

/** The current state; nobody else changes it until this transaction ends. */
export async function lockCanned(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<CannedAnswer | undefined> {
  const [found] = await tx
    .select({ id: cannedAnswer.id, title: cannedAnswer.title, text: cannedAnswer.text })
    .from(cannedAnswer)
    .where(and(eq(cannedAnswer.organizationId, organizationId), eq(cannedAnswer.id, id)))
    .for('no key update');
  return found;
}

export async function updateCanned(
  tx: Tx,
  organizationId: string,
  { id, title, text }: CannedAnswer,
): Promise<void> {
  await tx
    .update(cannedAnswer)
    .set({ title, text })
    .where(and(eq(cannedAnswer.organizationId, organizationId), eq(cannedAnswer.id, id)));
}

/** The deleted one; undefined if there is none. */
export async function deleteCanned(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<CannedAnswer | undefined> {
  const [gone] = await tx
    .delete(cannedAnswer)
    .where(and(eq(cannedAnswer.organizationId, organizationId), eq(cannedAnswer.id, id)))
    .returning({ id: cannedAnswer.id, title: cannedAnswer.title, text: cannedAnswer.text });
  return gone;
}
