import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { startEmbeddedPostgres } from '../src/server/db/embedded.ts';
import { connect } from '../src/server/db/open.ts';
import { startJobs } from '../src/server/jobs/jobs.ts';
import { createLog } from '../src/server/log.ts';
import { administer, withDatabase } from './database-server.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** Four test files run at a time, some with several servers, each of which uses some thirty connections. */
const CONNECTIONS = 400;

export interface RunDatabase {
  /** The maintenance database. */
  url: string;
  /** The name of a database with the whole schema and no data: copying it takes a few milliseconds. */
  template: string;
  stop: () => Promise<void>;
}

/** One PostgreSQL per test run: that of `DATABASE_URL`, or an embedded one in a temporary folder. */
export async function startRunDatabase(): Promise<RunDatabase> {
  const given = process.env['DATABASE_URL'];
  const folder = await makeTemporaryFolder('test');
  const embedded = given
    ? undefined
    : await startEmbeddedPostgres({ dataDir: folder, unsafeFast: true, connections: CONNECTIONS });
  const url = given ?? embedded?.connectionString ?? '';
  const template = `parley_template_${randomBytes(4).toString('hex')}`;
  await administer(url, `create database ${template}`);
  await prepareTemplate(withDatabase(url, template));
  return {
    url,
    template,
    stop: async () => {
      await administer(url, `drop database if exists ${template} with (force)`);
      await embedded?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function prepareTemplate(url: string): Promise<void> {
  const log = createLog({ logLevel: 'silent' });
  const open = await connect(url, { databasePoolSize: 2 }, log);
  const jobs = await startJobs(url, log);
  await jobs.stop();
  await open.close();
}
