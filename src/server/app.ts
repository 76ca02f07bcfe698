import type { FastifyInstance } from 'fastify';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { contract } from '../contract/index.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { createApiKeys } from './access/api-keys.ts';
import { inAgent } from './access/gate.ts';
import { notFound } from './app-error.ts';
import type { Config } from './config.ts';
import { openDatabase, type OpenDatabase } from './db/open.ts';
import { startRunner } from './db/runner.ts';
import type { Deps } from './deps.ts';
import { createEgress } from './egress/egress.ts';
import { apiKeyHandlers } from './features/api-key/handlers.ts';
import { auditHandlers } from './features/audit/handlers.ts';
import { Answering } from './features/chat/answering.ts';
import { chatHandlers } from './features/chat/handlers.ts';
import { INTERRUPTED_SWEEP_MS, settleInterrupted } from './features/chat/interrupted.ts';
import { chatbotHandlers } from './features/chatbot/handlers.ts';
import { fileHandlers } from './features/file/handlers.ts';
import { removeFile } from './features/file/remove.job.ts';
import { identityHandlers } from './features/identity/handlers.ts';
import { analyseQuestion } from './features/knowledge/analyze/analyze.ts';
import { knowledgeHandlers } from './features/knowledge/handlers.ts';
import { giveUpKnowledge, processKnowledge } from './features/knowledge/process.job.ts';
import { logHandlers } from './features/log/handlers.ts';
import { sendMail } from './features/mail/send.job.ts';
import { listNewestMail } from './features/mail/store.ts';
import { memberHandlers } from './features/member/handlers.ts';
import { organizationHandlers } from './features/organization/handlers.ts';
import { teamHandlers } from './features/team/handlers.ts';
import { userHandlers } from './features/user/handlers.ts';
import { bindContract } from './http/bind.ts';
import { serveDocs } from './http/docs.ts';
import { serveHealth } from './http/health.ts';
import { identifyBy } from './http/identify.ts';
import { serveImages } from './http/images.ts';
import { serveInbox } from './http/inbox.ts';
import { sendProblem } from './http/problems.ts';
import { createHttpServer } from './http/server.ts';
import { serveWeb } from './http/web.ts';
import { AUTH_COOKIE } from './identity/cookies.ts';
import { createGoogle } from './identity/google.ts';
import { createIdentity } from './identity/identity.ts';
import { openVault } from './identity/secrets.ts';
import { startJobs } from './jobs/jobs.ts';
import { createModels } from './llm/models.ts';
import type { Log } from './log.ts';
import { createMailer, type Mailer } from './mail/mailer.ts';
import { startRealtime } from './realtime/realtime.ts';
import { seedDemo } from './seed.ts';
import { openLocalStorage } from './storage/local.ts';

export interface App {
  http: FastifyInstance;
  deps: Deps;
  /** Finishes requests, settles what is under way, and stops the database when it is ours. */
  close: () => Promise<void>;
}

const webFolder = path.join(import.meta.dirname, '../../dist/web');

/** Puts the product together. This is the only file that knows every feature. */
export async function createApp(config: Config, log: Log, opened?: OpenDatabase): Promise<App> {
  const open = opened ?? (await openDatabase(config, log));
  const http = await createHttpServer(config, log);
  const vault = await openVault(config);
  const identity = createIdentity(open.database, vault);
  const runner = await startRunner(open.connectionString, log);
  const deps: Deps = {
    config,
    log,
    vault,
    identity,
    google: createGoogle(config),
    apiKeys: createApiKeys(open.database),
    runner,
    db: open.database,
    jobs: await startJobs(open.connectionString, log),
    realtime: startRealtime(http.server, {
      identify: identity.identify,
      mayWatchAgent: (caller, agentId) =>
        inAgent(open.database, caller, agentId, 'agent.read', async () => true).catch(() => false),
    }),
    egress: createEgress({ allowedHosts: config.ssrfAllowedHosts, log }),
    storage: await openLocalStorage(path.join(config.dataDir, 'files')),
    models: createModels(config, analyseQuestion),
  };
  const mailer = createMailer(config, log);
  const answering = new Answering(deps);
  await bindRoutes(http, deps, answering, mailer);
  await startWork(deps, mailer);
  const sweep = setInterval(() => {
    settleInterrupted(deps.db.owner).catch((error: unknown) =>
      log.warn({ err: error }, 'interrupted answers'),
    );
  }, INTERRUPTED_SWEEP_MS);
  await settleInterrupted(deps.db.owner);
  if (config.seedDemo && config.role !== 'worker') await seedDemo(deps);
  return {
    http,
    deps,
    close: async () => {
      clearInterval(sweep);
      await answering.close();
      await deps.realtime.close();
      await http.close();
      await deps.jobs.stop();
      await runner.stop();
      await open.close();
    },
  };
}

async function bindRoutes(
  http: FastifyInstance,
  deps: Deps,
  answering: Answering,
  mailer: Mailer,
): Promise<void> {
  await serveDocs(http, packageJson.version);
  await http.register(async (scope) => {
    bindContract(
      scope,
      contract,
      {
        identity: identityHandlers(deps),
        user: userHandlers(deps),
        organization: organizationHandlers(deps),
        team: teamHandlers(deps),
        member: memberHandlers(deps),
        apiKey: apiKeyHandlers(deps),
        audit: auditHandlers(deps),
        chatbot: chatbotHandlers(deps),
        knowledge: knowledgeHandlers(deps),
        file: fileHandlers(deps),
        chat: chatHandlers(deps, answering),
        log: logHandlers(deps),
      },
      {
        db: deps.db,
        vault: deps.vault,
        identify: identifyBy(deps.identity, deps.apiKeys, AUTH_COOKIE),
        origin: () => originOf(http, deps.config),
      },
    );
  });
  serveHealth(http, () =>
    deps.db.owner.query('select 1').then(
      () => true,
      () => false,
    ),
  );
  http.get('/.well-known/jwks.json', { schema: { hide: true } }, () => deps.identity.keys.jwks());
  if (!mailer.delivers) serveInbox(http, () => deps.db.in({}, (tx) => listNewestMail(tx, 50)));
  serveImages(http, deps.storage);
  const isBuilt = await stat(path.join(webFolder, 'index.html')).then(
    () => true,
    () => false,
  );
  if (isBuilt) await serveWeb(http, webFolder);
  else http.setNotFoundHandler((request, reply) => sendProblem(notFound(), request, reply));
}

async function startWork(deps: Deps, mailer: Mailer): Promise<void> {
  if (deps.config.role === 'web') return;
  await deps.jobs.work('mail.send', sendMail(deps, mailer));
  await deps.jobs.work('file.remove', removeFile(deps));
  await deps.jobs.work('knowledge.process', processKnowledge(deps), giveUpKnowledge(deps));
}

/** The configured address; without one, this machine's own. */
export function originOf(http: FastifyInstance, config: Config): string {
  if (config.publicUrl) return config.publicUrl;
  const address = http.server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  return `http://localhost:${port}`;
}
