import type { ApiKeys } from './access/api-keys.ts';
import type { Config } from './config.ts';
import type { Database } from './db/scope.ts';
import type { Egress } from './egress/egress.ts';
import type { Google } from './identity/google.ts';
import type { Identity } from './identity/identity.ts';
import type { Vault } from './identity/secrets.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Models } from './llm/models.ts';
import type { Log } from './log.ts';
import type { Realtime } from './realtime/realtime.ts';
import type { Runner } from './db/runner.ts';
import type { Storage } from './storage/storage.ts';

/** The ports that features are built on; one of each a process. */
export interface Deps {
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
  egress: Egress;
  storage: Storage;
  models: Models;
}
