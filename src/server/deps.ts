import type { AgentKeys } from './access/agent-keys.ts';
import type { ApiKeys } from './access/api-keys.ts';
import type { Channels } from './channels/channel.ts';
import type { Countries } from './countries.ts';
import type { X } from './channels/x/sign-in.ts';
import type { Backlog } from './load/backlog.ts';
import type { Config } from './config/config.ts';
import type { Documents } from './documents.ts';
import type { Database } from './db/scope.ts';
import type { Egress } from './egress/egress.ts';
import type { Fetch } from './egress/model-fetch.ts';
import type { Voice } from './llm/voice.ts';
import type { Google } from './identity/google.ts';
import type { Identity } from './identity/identity.ts';
import type { Vault } from './identity/secrets.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Embedding } from './llm/embedding.ts';
import type { Models } from './llm/models.ts';
import type { Log } from './log.ts';
import type { Traces } from './observe/traces.ts';
import type { Metrics } from './observe/metrics.ts';
import type { Realtime } from './realtime/realtime.ts';
import type { Runner } from './db/runner.ts';
import type { Locks } from './storage/locks.ts';
import type { Pace } from './load/pace.ts';
import type { Payments } from './payment/payments.ts';
import type { Storages } from './storage/open.ts';

/** The ports that features build on; one of each per process. */
export interface Deps extends Storages {
  config: Config;
  log: Log;
  vault: Vault;
  db: Database;
  runner: Runner;
  jobs: Jobs;
  realtime: Realtime;
  identity: Identity;
  google: Google;
  apiKeys: ApiKeys;
  agentKeys: AgentKeys;
  x: X;
  channels: Channels;
  egress: Egress;
  /** Requests to services that a person chose: like `egress`, but of every kind, and following no redirects. */
  services: Fetch;
  documents: Documents;
  countries: Countries;
  pace: Pace;
  backlog: Backlog;
  metrics: Metrics;
  traces: Traces;
  payments: Payments;
  /** For things with one worker at a time: uploads, threads of channels. */
  locks: Locks;
  models: Models;
  voice: Voice;
  /** Undefined without an embedding model: search then goes by words alone. */
  embedding: Embedding | undefined;
}
