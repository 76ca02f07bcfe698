import type { Database } from './db/scope.ts';
import type { Deps } from './deps.ts';
import { giveUpImport, importAgent } from './features/agent-file/import.job.ts';
import { answerChannel, giveUpChannel } from './features/channel/answer.job.ts';
import { ASK_SWEEP_MS, askChannel, askDueChannels } from './features/channel/ask.job.ts';
import { giveUpSaying, sayInChannel } from './features/channel/say.job.ts';
import { endCheckouts } from './features/product/end-checkouts.ts';
import { endSubscriptions } from './features/product/end-subscriptions.ts';
import { ENDED_SWEEP_MS } from './features/product/ended.ts';
import { endPlan } from './features/billing/end-plan.job.ts';
import { relayByMail } from './features/inbox/relay.job.ts';
import { planSweeps } from './features/billing/upkeep.ts';
import { forgetMessages } from './features/channel/store.ts';
import type { Answering } from './features/chat/answering.ts';
import type { ChannelTurns } from './features/chat/channel-turns.ts';
import { agentFilesIn } from './features/agent-file/open-file.ts';
import { wholeConversationsIn } from './features/history/whole.ts';
import { INTERRUPTED_SWEEP_MS, lostAnswers, settleInterrupted } from './features/chat/interrupted.ts';
import { writingIn } from './features/chatbot/write.ts';
import { ESTIMATE_SWEEP_MS, estimateDue } from './features/estimate/due.ts';
import { estimateConversation } from './features/estimate/estimate.job.ts';
import { PURGE_SWEEP_MS, purgeDeletedAgents } from './features/chatbot/purge.ts';
import { fileNameOf } from './features/file/file-name.ts';
import { fileTypeOf } from './features/file/file-type.ts';
import { expireUploads, UPLOADS_SWEEP_MS } from './features/file/expire-uploads.ts';
import { removeFile, removeUpload } from './features/file/remove.job.ts';
import { REMOVED_BYTES_SWEEP_MS, sweepRemovedBytes } from './features/file/removed-bytes.ts';
import { forgetLinks, forgetSessions } from './features/identity/store.ts';
import { QUESTIONS_SWEEP_MS, readQuestions } from './features/improvement/read-questions.ts';
import { DUE_SWEEP_MS, syncDueItems } from './features/knowledge/due.ts';
import { REPORT_SWEEP_MS, sendReports } from './features/insight/report.ts';
import { ROLL_UP_SWEEP_MS, rollUpAll } from './features/insight/rollup.ts';
import { EMBED_SWEEP_MS, type EmbedWork } from './features/knowledge/vectors/embed.ts';
import { VECTOR_INDEX_SWEEP_MS } from './features/knowledge/vectors/keep-vector-index.ts';
import { giveUpKnowledge, processKnowledge } from './features/knowledge/process.job.ts';
import { contentsOf } from './features/privacy/contents.ts';
import { forgetExports } from './features/privacy/export-store.ts';
import { giveUpExport, writeExport } from './features/privacy/export.job.ts';
import { endDeleted, endRetained, RETENTION_SWEEP_MS } from './features/privacy/retain.ts';
import { erasePerson } from './features/privacy/erase.job.ts';
import { sendMail } from './features/mail/send.job.ts';
import { forgetMails } from './features/mail/store.ts';
import { trialsIn } from './features/chat/trial.ts';
import { sendPush } from './features/push/send.job.ts';
import { giveUpTests, runTests } from './features/test-set/run.job.ts';
import { withdrawAccounts } from './features/tool/account/revoke.ts';
import { toolRestorer } from './features/tool/restore.ts';
import { hearingIn } from './features/voice/hearing.ts';
import { forgetIdle } from './features/visitor/store.ts';
import { deliverWebhook, giveUpWebhook } from './features/webhook/deliver.job.ts';
import { noticeHappenings, WEBHOOK_SWEEP_MS } from './features/webhook/notice.ts';
import { forgetDeliveries } from './features/webhook/store.ts';
import { forgetKeys } from './http/idempotency.ts';
import { AHEAD_SWEEP_MS, bringForward } from './jobs/ahead.ts';
import type { Mailer } from './mail/mailer.ts';
import { forgetEvents } from './payment/event-store.ts';
import { LONG_REST, type Sweep } from './sweeps.ts';

/** What sweeps need in addition to the common dependencies. */
interface Swept {
  background: Database;
  embedWork: EmbedWork;
  answering: Pick<Answering, 'isMaking'>;
  origin: () => string;
}

/** What is done periodically. */
export function sweepsOf(deps: Deps, { background, embedWork, answering, origin }: Swept): Sweep[] {
  const interrupted: Sweep = {
    name: 'interrupted answers',
    everyMs: INTERRUPTED_SWEEP_MS,
    run: () => settleInterrupted(deps.db.owner, deps.runner.id),
  };
  const lost = lostAnswers(deps, (conversationId, id) => answering.isMaking(conversationId, id));
  if (deps.config.role === 'web') return [interrupted, lost];
  const aside = { ...deps, db: background };
  return [
    interrupted,
    lost,
    { name: 'forgotten conversations', everyMs: PURGE_SWEEP_MS, run: () => endDeleted(deps) },
    {
      name: 'jobs that wait too long',
      everyMs: AHEAD_SWEEP_MS,
      run: () => bringForward(deps.db, deps.config.inboxRelayAfterSeconds),
    },
    { name: 'due items', everyMs: DUE_SWEEP_MS, run: () => syncDueItems(deps) },
    { name: 'expired uploads', everyMs: UPLOADS_SWEEP_MS, run: () => expireUploads(deps) },
    { name: 'removed bytes', everyMs: REMOVED_BYTES_SWEEP_MS, run: () => sweepRemovedBytes(deps) },
    { name: 'passages without a vector', everyMs: EMBED_SWEEP_MS, run: embedWork.sweep },
    { name: 'index over vectors', everyMs: VECTOR_INDEX_SWEEP_MS, run: embedWork.keepIndex },
    { name: 'questions', everyMs: QUESTIONS_SWEEP_MS, rest: LONG_REST, run: () => readQuestions(aside) },
    { name: 'estimates', everyMs: ESTIMATE_SWEEP_MS, run: () => estimateDue(deps) },
    { name: 'deleted agents', everyMs: PURGE_SWEEP_MS, run: () => purgeDeletedAgents(deps) },
    { name: 'old channel messages', everyMs: PURGE_SWEEP_MS, run: () => forgetMessages(deps.db) },
    { name: 'channels that are asked', everyMs: ASK_SWEEP_MS, run: () => askDueChannels(deps) },
    { name: 'webhooks', everyMs: WEBHOOK_SWEEP_MS, run: () => noticeHappenings(deps) },
    { name: 'old deliveries', everyMs: PURGE_SWEEP_MS, run: () => forgetDeliveries(deps.db) },
    ...planSweeps(deps, origin),
    { name: 'ended subscriptions', everyMs: ENDED_SWEEP_MS, run: () => endSubscriptions(deps) },
    { name: 'ended checkouts', everyMs: ENDED_SWEEP_MS, run: () => endCheckouts(deps) },
    { name: 'payment events', everyMs: PURGE_SWEEP_MS, run: () => forgetEvents(deps.db) },
    { name: 'retained conversations', everyMs: RETENTION_SWEEP_MS, run: () => endRetained(deps) },
    { name: 'data exports', everyMs: PURGE_SWEEP_MS, run: () => forgetExports(deps.db) },
    { name: 'reports', everyMs: REPORT_SWEEP_MS, run: () => sendReports(deps, origin) },
    { name: 'insights', everyMs: ROLL_UP_SWEEP_MS, rest: LONG_REST, run: () => rollUpAll(aside) },
    { name: 'idle visitors', everyMs: PURGE_SWEEP_MS, run: () => forgetIdle(deps.db) },
    { name: 'old idempotency keys', everyMs: PURGE_SWEEP_MS, run: () => forgetKeys(deps.db) },
    { name: 'old sign-in links', everyMs: PURGE_SWEEP_MS, run: () => forgetLinks(deps.db) },
    { name: 'ended sessions', everyMs: PURGE_SWEEP_MS, run: () => forgetSessions(deps.db) },
    { name: 'old mails', everyMs: PURGE_SWEEP_MS, run: () => forgetMails(deps.db) },
  ];
}

/** What jobs need in addition to the common dependencies. */
interface Workers {
  mailer: Mailer;
  embedWork: EmbedWork;
  answering: Answering;
  turns: ChannelTurns;
  origin: () => string;
}

/** Runs the jobs. */
export async function startWork(
  given: Deps,
  { mailer, embedWork, answering, turns, origin }: Workers,
): Promise<void> {
  if (given.config.role === 'web') return;
  const deps = { ...given, storage: given.patientStorage };
  await deps.jobs.work('channel.answer', answerChannel(deps, turns, hearingIn(deps)), giveUpChannel(deps));
  await deps.jobs.work('channel.ask', askChannel(deps));
  await deps.jobs.work('channel.say', sayInChannel(deps), giveUpSaying(deps));
  await deps.jobs.work('inbox.relay', relayByMail(deps, origin));
  await deps.jobs.work('push.send', sendPush(deps));
  await deps.jobs.work('webhook.deliver', deliverWebhook(deps), giveUpWebhook(deps));
  await deps.jobs.work('plan.end', endPlan(deps));
  await deps.jobs.work('mail.send', sendMail(deps, mailer));
  await deps.jobs.work('file.remove', removeFile(deps));
  await deps.jobs.work('upload.remove', removeUpload(deps));
  await deps.jobs.work(
    'agent.import',
    importAgent(deps, { nameOf: fileNameOf, typeOf: fileTypeOf, restoreTools: toolRestorer(deps) }),
    giveUpImport(deps),
  );
  const contents = contentsOf(deps, { conversation: wholeConversationsIn(deps), agent: agentFilesIn(deps) });
  await deps.jobs.work('privacy.export', writeExport(deps, contents), giveUpExport(deps));
  await deps.jobs.work('privacy.erase', erasePerson(deps, { withdrawAccounts: withdrawAccounts(deps) }));
  await deps.jobs.work('conversation.estimate', estimateConversation(deps, { write: writingIn(deps) }));
  await deps.jobs.work('test.run', runTests(deps, trialsIn(deps, answering)), giveUpTests(deps));
  await deps.jobs.work('knowledge.process', processKnowledge(deps, embedWork.soon), giveUpKnowledge(deps));
}
