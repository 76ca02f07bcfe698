import { sql } from 'drizzle-orm';
import type { Deps } from '../../deps.ts';
import * as store from './upload-store.ts';

/** How often to look for expired uploads. */
export const UPLOADS_SWEEP_MS = 10 * 60_000;
const AT_ONCE = 100;

/** Removes expired uploads; a job removes their bytes. Returns how many there were. */
export async function expireUploads({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Promise<number> {
  const { rows } = await db.unscoped.execute<{ organization_id: string; upload_id: string }>(
    sql`select organization_id, upload_id from expired_uploads(${AT_ONCE})`,
  );
  for (const { organization_id: organizationId, upload_id: uploadId } of rows) {
    await db.in({ organizationId }, async (tx) => {
      await store.deleteUpload(tx, organizationId, uploadId);
      await jobs.enqueue(tx, 'upload.remove', { uploadId });
    });
  }
  return rows.length < AT_ONCE ? rows.length : rows.length + (await expireUploads({ db, jobs }));
}
