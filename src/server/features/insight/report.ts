import { inOrganization } from '../../access/gate.ts';
import { AppError } from '../../app-error.ts';
import type { UserCaller } from '../../call.ts';
import type { Deps } from '../../deps.ts';
import { listAgents } from '../chatbot/store.ts';
import { enqueueMail } from '../mail/store.ts';
import { findOrganization } from '../organization/store.ts';
import { reportMail } from './report-mail.ts';
import * as store from './report-store.ts';
import { catchUp, readEndedRange, readSums } from './store.ts';

export const REPORT_SWEEP_MS = 300_000;

type ReportDeps = Pick<Deps, 'db' | 'jobs' | 'log'>;

/** Emails the numbers to those whose report is due, once each, whichever process notices. Former members get none. */
export async function sendReports(deps: ReportDeps, origin: () => string): Promise<void> {
  for (const key of await store.listDue(deps.db))
    await sendOne(deps, key, origin()).catch(async (error: unknown) => {
      if (!(error instanceof AppError))
        return deps.log.warn({ err: error, ...key }, 'a report could not be sent');
      return deps.db.in({ organizationId: key.organizationId }, (tx) => store.removeReport(tx, key));
    });
}

async function sendOne({ db, jobs }: ReportDeps, key: store.ReportKey, origin: string): Promise<void> {
  const { organizationId, userId } = key;
  const reader: UserCaller = { kind: 'user', userId, sessionId: '', isAnonymous: false, isMember: true };
  await inOrganization(db, reader, organizationId, 'agent.read', async (tx, { agents }) => {
    const due = await store.takeDue(tx, key);
    const email = due && (await store.addressOf(tx, userId));
    const organization = email && (await findOrganization(tx, organizationId));
    if (!due || !email || !organization) return;
    const seen = await listAgents(tx, organizationId, agents);
    const scope = { organizationId, agentIds: seen.map(({ id }) => id) };
    await catchUp(tx, organizationId, scope.agentIds);
    const range = await readEndedRange(tx, due.every, due.timeZone);
    const sums = await readSums(tx, scope, range);
    const link = `${origin}/platform/${organizationId}/insights?period=${range.period}`;
    const letter = { organizationName: organization.name, every: due.every, range, agents: seen, sums, link };
    await enqueueMail(tx, jobs, email, reportMail(letter));
  });
}
