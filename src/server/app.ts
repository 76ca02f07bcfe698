import type { FastifyInstance } from 'fastify';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { contract, type ParleyContract } from '../contract/index.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { createKeys } from './access/keys.ts';
import { channelsOf } from './channels/by-type.ts';
import { createX } from './channels/x/sign-in.ts';
import type { Config } from './config/config.ts';
import { createCountries } from './countries.ts';
import { explainRefusal, openDatabase, type OpenDatabase } from './db/open.ts';
import type { Tx } from './db/scope.ts';
import { startRunner } from './db/runner.ts';
import type { Deps } from './deps.ts';
import { createEgress } from './egress/egress.ts';
import { createModelFetch, type ModelFetch } from './egress/model-fetch.ts';
import { agentFileHandlers } from './features/agent-file/handlers.ts';
import { apiKeyHandlers } from './features/api-key/handlers.ts';
import { auditHandlers } from './features/audit/handlers.ts';
import { receiveIn } from './features/channel/receive.ts';
import { renewIn } from './features/channel/renew.ts';
import { Answering } from './features/chat/answering.ts';
import { channelTurnsIn } from './features/chat/channel-turns.ts';
import { requestStop, type ConversationKey } from './features/chat/store.ts';
import { historyHandlers } from './features/history/handlers.ts';
import { chatLinkHandlers } from './features/chat-link/handlers.ts';
import { roomHandlers } from './features/room/handlers.ts';
import { answerHandlers } from './features/answer/handlers.ts';
import { attachmentHandlers } from './features/attachment/handlers.ts';
import { voiceHandlers } from './features/voice/handlers.ts';
import { readAccounts } from './features/model/accounts.ts';
import { modelAreas } from './features/model/handlers.ts';
import { retellingIn } from './features/chat/retelling.ts';
import { billingHandlers } from './features/billing/handlers.ts';
import { followSubscriptions } from './features/billing/upkeep.ts';
import { chatHandlers } from './features/chat/handlers.ts';
import { speakingIn } from './features/chat/speaking.ts';
import { settleInterrupted } from './features/chat/interrupted.ts';
import { writingIn } from './features/chatbot/write.ts';
import { chatbotHandlers } from './features/chatbot/handlers.ts';
import { agentKeepingHandlers } from './features/chatbot/keeping.ts';
import { fileNameOf } from './features/file/file-name.ts';
import { fileTypeOf } from './features/file/file-type.ts';
import { readText } from './features/knowledge/read/read-text.ts';
import { createDocuments } from './documents.ts';
import { endUserHandlers } from './features/end-user/handlers.ts';
import { fileHandlers } from './features/file/handlers.ts';
import { createUploads, type Uploads } from './features/file/uploads.ts';
import { endSessions } from './features/identity/end-sessions.ts';
import { identityHandlers } from './features/identity/handlers.ts';
import { mergeGuest } from './features/identity/store.ts';
import { readAlike } from './features/knowledge/search/read-alike.ts';
import { startEmbedWork } from './features/knowledge/vectors/embed.ts';
import { handOverIn } from './features/inbox/hand-over.ts';
import { awayNotice } from './features/inbox/away.ts';
import { handoverHandlers } from './features/inbox/handover-handlers.ts';
import { estimateHandlers } from './features/estimate/handlers.ts';
import { improvementHandlers } from './features/improvement/handlers.ts';
import { memberAt } from './features/inbox/looking.ts';
import { inboxHandlers } from './features/inbox/handlers.ts';
import { peopleIn, type People } from './features/inbox/people.ts';
import { pairsIn } from './features/knowledge/keep-pair.ts';
import { insightAreas } from './features/insight/handlers.ts';
import { knowledgeHandlers } from './features/knowledge/handlers.ts';
import { revisionHandlers } from './features/knowledge/revisions/revision-handlers.ts';
import { sourceHandlers } from './features/knowledge/source-handlers.ts';
import { websiteHandlers } from './features/knowledge/website-handlers.ts';
import { leadHandlers } from './features/lead/handlers.ts';
import { keepLead } from './features/lead/keep-lead.ts';
import { logHandlers } from './features/log/handlers.ts';
import { listNewestMail } from './features/mail/store.ts';
import { memberHandlers } from './features/member/handlers.ts';
import { organizationHandlers } from './features/organization/handlers.ts';
import { privacyHandlers } from './features/privacy/handlers.ts';
import { programsIn } from './features/program/programs.ts';
import { followSales, sellingHandlers } from './features/product/selling.ts';
import { pluginHandlers } from './features/plugin/handlers.ts';
import { testSetHandlers } from './features/test-set/handlers.ts';
import { storefrontHandlers } from './features/storefront/handlers.ts';
import { publicPage } from './features/storefront/public.ts';
import { versionHandlers } from './features/version/handlers.ts';
import { teamHandlers } from './features/team/handlers.ts';
import { createAccounts } from './features/tool/account/accounts.ts';
import { toolAccountHandlers } from './features/tool/account/handlers.ts';
import { loginsIn, type Logins } from './features/tool/account/logins.ts';
import { createBuiltinCaller } from './features/tool/builtin/call-builtin.ts';
import { callByKind } from './features/tool/call/by-kind.ts';
import { createToolCaller } from './features/tool/call/caller.ts';
import { createProofs } from './features/tool/call/proofs.ts';
import { toolboxOf } from './features/tool/toolbox.ts';
import { createMcp } from './features/tool/mcp/mcp.ts';
import { toolSignInHandlers } from './features/tool/account/sign-in-handlers.ts';
import { toolHandlers, type Calling } from './features/tool/handlers.ts';
import { pushHandlers } from './features/push/handlers.ts';
import { userHandlers } from './features/user/handlers.ts';
import { visitorHandlers } from './features/visitor/handlers.ts';
import { findPublicAgent } from './features/visitor/public-agent.ts';
import { webhookHandlers } from './features/webhook/handlers.ts';
import { pingWebhook } from './features/webhook/ping.ts';
import { bindContract, type AllHandlers } from './http/bind.ts';
import { hangingUp } from './http/hang-up.ts';
import { serveChannels } from './http/channels.ts';
import { serveDocs } from './http/docs.ts';
import { serveHealth } from './http/health.ts';
import { serveMetrics } from './http/metrics.ts';
import { identifyBy } from './http/identify.ts';
import { serveImages } from './http/images.ts';
import { serveInbox } from './http/inbox.ts';
import { serveMcp } from './http/mcp.ts';
import { serveOpenai } from './http/openai.ts';
import { deliverTo, servePayments } from './http/payments.ts';
import { sendProblem } from './http/problems.ts';
import { createHttpServer } from './http/server.ts';
import { serveStorefronts } from './http/storefronts.ts';
import { serveUploads } from './http/uploads.ts';
import { serveWeb } from './http/web.ts';
import { AUTH_COOKIE } from './identity/cookies.ts';
import { createGoogle } from './identity/google.ts';
import { createIdentity } from './identity/identity.ts';
import { openVault } from './identity/secrets.ts';
import { startJobs } from './jobs/jobs.ts';
import { openEmbedding } from './llm/embedding.ts';
import { createModels } from './llm/models.ts';
import { createVoice } from './llm/voice.ts';
import { startWork, sweepsOf } from './work.ts';
import type { Log } from './log.ts';
import { makePicture } from './images/make-photo.ts';
import { createMailer, type Mailer } from './mail/mailer.ts';
import { createPace } from './load/pace.ts';
import { look, watch } from './observe/watch.ts';
import { createPayments } from './payment/payments.ts';
import { openRealtime } from './open-realtime.ts';
import { originOf } from './origin.ts';
import { startSweeps } from './sweeps.ts';
import { seedAtStart } from './seed/seed.ts';
import { backUpForUpgrade } from './operations/upgrade.ts';
import { startLocks } from './storage/locks.ts';
import { openStorages } from './storage/open.ts';

export interface App {
  http: FastifyInstance;
  deps: Deps;
  /** From here on it reports that it isn't ready, but keeps serving. */
  leave: () => void;
  /** Finishes requests, settles answers in progress, and stops the database if it is embedded. */
  close: () => Promise<void>;
}

const webFolder = path.join(import.meta.dirname, '../../dist/web');

/** Assembles the product. This file and `work.ts` are the only ones that know every feature. */
export async function createApp(config: Config, log: Log, opened?: OpenDatabase): Promise<App> {
  const embedding = await openEmbedding(config.embedding, log);
  const http = await createHttpServer(config, log);
  const watched = await watch(config, log, http);
  const open = opened ?? (await openDatabase(config, log, backUpForUpgrade(config, log), watched));
  try {
    return await assemble(config, log, { open, http, embedding, ...watched });
  } catch (error) {
    // A database started for this app would outlive the failed start.
    if (!opened) await open.close();
    throw explainRefusal(error);
  }
}

async function assemble(config: Config, log: Log, opened: Omit<Opened, 'fetch'>): Promise<App> {
  const { open, http, embedding } = opened;
  const hangUp = hangingUp(http);
  const fetch = createModelFetch({ allowedHosts: config.ssrfAllowedHosts });
  const deps = await startDeps(config, log, { ...opened, fetch });
  const origin = () => originOf(http, config);
  look(deps, open);
  followSubscriptions(deps, origin);
  const mailer = createMailer(config, log);
  const calling = { ...deps, proofs: createProofs(deps, createAccounts(deps)) };
  const logins = loginsIn(deps);
  const mcp = createMcp(calling);
  const people = peopleIn(deps, { origin });
  const handOver = handOverIn(deps, people, { notify: (key, userIds) => answering.notify(key, userIds) });
  const builtin = createBuiltinCaller({ ...deps, handOver });
  const call = callByKind({ openapi: createToolCaller(calling), mcp: mcp.call, builtin });
  followSales(deps);
  const answering: Answering = new Answering(deps, toolboxOf(deps, call, logins), people);
  const leave = await bindRoutes(http, deps, { answering, tools: { call, mcp }, logins, people }, mailer);
  const embedWork = startEmbedWork(deps);
  const turns = channelTurnsIn(deps, answering, { accounts: logins, origin });
  await startWork({ ...deps, db: open.background }, { mailer, embedWork, answering, turns, origin });
  await settleInterrupted(deps.db.owner, deps.runner.id);
  const sweeps = startSweeps(log, sweepsOf(deps, { ...open, embedWork, answering, origin }));
  const { guides } = await seedAtStart(deps);
  return {
    http,
    deps,
    leave,
    close: async () => {
      hangUp();
      try {
        await guides;
        await embedWork.stop();
        await sweeps.stop();
        await answering.close();
        for (const part of [deps.realtime, deps.payments, http]) await part.close();
        for (const part of [deps.jobs, deps.locks, deps.runner]) await part.stop();
        await embedding?.embedder.close();
        for (const part of [fetch, deps.traces]) await part.close();
      } finally {
        await open.close();
      }
    },
  };
}

/** What everything else needs first. */
interface Opened extends Pick<Deps, 'embedding' | 'backlog' | 'metrics' | 'traces'> {
  open: OpenDatabase;
  http: FastifyInstance;
  fetch: ModelFetch;
}

async function startDeps(config: Config, log: Log, opened: Opened): Promise<Deps> {
  const { open, http, embedding, fetch, backlog, metrics, traces } = opened;
  const vault = await openVault(config);
  const identity = createIdentity(open.database, vault);
  const egress = createEgress({ allowedHosts: config.ssrfAllowedHosts, log });
  return {
    config,
    log,
    vault,
    identity,
    google: createGoogle(config),
    ...createKeys(open.database, config),
    x: createX(config),
    channels: channelsOf(config, egress),
    documents: createDocuments({ nameOf: fileNameOf, typeOf: fileTypeOf, readText, makePicture }),
    countries: createCountries(),
    // Anything that a setting can prevent from starting comes first, before there is anything to stop again.
    ...(await openStorages(config, open.database.boundedOwner)),
    realtime: await openRealtime(http, config, { identity, db: open.database, log }, memberAt),
    payments: await createPayments(config, log, {
      db: open.database,
      fetch: fetch.byOperator,
      origin: () => originOf(http, config),
      deliverHere: deliverTo(http),
    }),
    runner: await startRunner(open.connectionString, log),
    db: open.database,
    jobs: await startJobs(open.connectionString, log),
    egress,
    services: fetch.byPerson,
    locks: startLocks(open.connectionString, log),
    models: createModels({
      config,
      readAlike,
      fetch,
      ownAccounts: (organizationId) => readAccounts({ db: open.database, vault, log }, organizationId),
    }),
    voice: createVoice(config, fetch),
    pace: createPace(),
    backlog,
    metrics,
    traces,
    embedding,
  };
}

async function bindRoutes(http: FastifyInstance, deps: Deps, asked: Asked, mailer: Mailer) {
  await serveDocs(http, packageJson.version);
  const uploads = createUploads(deps);
  const identify = identifyBy(deps, AUTH_COOKIE);
  const origin = () => originOf(http, deps.config);
  await serveUploads(http, uploads, identify);
  await http.register(async (scope) => {
    bindContract(scope, contract, handlersOf(deps, uploads, asked), {
      db: deps.db,
      vault: deps.vault,
      runner: deps.runner.id,
      pace: deps.pace,
      backlog: deps.backlog,
      identify,
      origin,
    });
    await servePrograms(scope, deps, asked.answering);
  });
  await serveChannels(http, receiveIn(deps));
  await servePayments(http, deps.payments);
  serveMetrics(http, deps.config.operations.metricsToken, deps.metrics);
  const leave = serveHealth(http, () =>
    deps.db.owner.query(readyQuery).then(
      () => true,
      () => false,
    ),
  );
  http.get('/.well-known/jwks.json', { schema: { hide: true } }, () => deps.identity.keys.jwks());
  if (!mailer.delivers) serveInbox(http, () => deps.db.in({}, (tx) => listNewestMail(tx, 50)), origin);
  serveImages(http, deps.storage);
  await servePages(http, deps);
  return leave;
}

const readyQuery = { text: 'select 1', query_timeout: 5000 };

/** Agents for programs that use OpenAI's protocol or MCP. */
async function servePrograms(http: FastifyInstance, deps: Deps, answering: Answering): Promise<void> {
  const { agentKeys, pace } = deps;
  const agents = { ...programsIn(deps), ask: retellingIn(deps, answering) };
  await serveOpenai(http, { agents, agentKeys, pace });
  await serveMcp(http, { agents, agentKeys, pace, origin: () => originOf(http, deps.config) });
}

/** The parts that call out: to models through answers, and to services. */
interface Asked {
  answering: Answering;
  tools: Calling;
  /** End users' logins at services. */
  logins: Logins;
  people: People;
}

function handlersOf(
  deps: Deps,
  uploads: Uploads,
  { answering, tools, logins, people }: Asked,
): AllHandlers<ParleyContract> {
  return {
    identity: identityHandlers(deps),
    push: pushHandlers(deps),
    user: userHandlers(deps),
    organization: organizationHandlers(deps),
    team: teamHandlers(deps),
    member: memberHandlers(deps),
    apiKey: apiKeyHandlers(deps),
    audit: auditHandlers(deps),
    chatbot: chatbotHandlers(deps),
    agentFile: agentFileHandlers(deps, uploads),
    agentKeeping: agentKeepingHandlers(deps),
    version: versionHandlers(deps),
    testSet: testSetHandlers(deps),
    knowledge: knowledgeHandlers(deps),
    source: sourceHandlers(deps),
    revision: revisionHandlers(deps),
    website: websiteHandlers(deps),
    file: fileHandlers(deps, uploads),
    chat: chatHandlers(deps, answering, { accounts: logins, leads: { keep: keepLead }, awayNotice }),
    history: historyHandlers(deps),
    chatLink: chatLinkHandlers(deps),
    room: roomHandlers(deps, { notify: (key) => answering.notify(key) }),
    answer: answerHandlers(deps),
    attachment: attachmentHandlers(deps),
    voice: voiceHandlers(deps, speakingIn(deps, answering)),
    ...modelAreas(deps),
    billing: billingHandlers(deps),
    ...sellingHandlers(deps, mergeGuest),
    visitor: visitorHandlers(deps),
    plugin: pluginHandlers(deps, { pingWebhook: pingWebhook(deps), renew: renewIn(deps) }),
    webhook: webhookHandlers(deps),
    tool: toolHandlers(deps, tools),
    toolAccount: toolAccountHandlers(deps),
    toolSignIn: toolSignInHandlers(deps, { mcp: tools.mcp, logins }),
    lead: leadHandlers(deps),
    endUser: endUserHandlers(deps),
    ...learningOf(deps),
    ...inboxOf(deps, { answering, people }),
    storefront: storefrontHandlers(deps),
    privacy: privacyHandlers(deps, { endSessions: (userId) => endSessions(deps, userId) }),
    log: logHandlers(deps),
  };
}

/** What is learned from conversations. */
function learningOf(deps: Deps) {
  return {
    estimate: estimateHandlers(deps),
    improvement: improvementHandlers(deps, { write: writingIn(deps), keepPair: pairsIn(deps) }),
    ...insightAreas(deps),
  };
}

/** People who step into conversations. */
function inboxOf(deps: Deps, { answering, people }: Pick<Asked, 'answering' | 'people'>) {
  const around = {
    people,
    silence: async (tx: Tx, key: ConversationKey) => void (await requestStop(tx, key)),
    notify: (key: ConversationKey, userIds: string[]) => answering.notify(key, userIds),
  };
  return { handover: handoverHandlers(deps, around), inbox: inboxHandlers(deps, around) };
}

async function servePages(http: FastifyInstance, deps: Deps): Promise<void> {
  const { db, config } = deps;
  const origin = () => originOf(http, config);
  serveStorefronts(http, {
    find: (handle, locale) => publicPage(deps, { handle, locale, origin: origin() }),
  });
  const findAgent = (idOrHandle: string) => findPublicAgent(db, idOrHandle);
  if (existsSync(path.join(webFolder, 'index.html')))
    await serveWeb(http, { folder: webFolder, findAgent, origin });
  else
    http.setNotFoundHandler((request, reply) => sendProblem(http.refusalOf(request, reply), request, reply));
}
