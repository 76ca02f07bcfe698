import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../src/server/db/embedded.ts';
import { connect } from '../src/server/db/open.ts';
import { startJobs } from '../src/server/jobs/jobs.ts';
import { createLog } from '../src/server/log.ts';
import { administer, withDatabase } from './database-server.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of the maintenance database; each test file makes its own from `templateDatabase`. */
    databaseUrl: string;
    templateDatabase: string;
  }
}

/**
 * One PostgreSQL for the run: that of `DATABASE_URL`, or an embedded one in a temporary folder. A template with the whole
 * schema is made once, so that a test file gets a database of its own in a few milliseconds.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['DATABASE_URL'];
  const folder = await makeTemporaryFolder('test');
  const embedded = given ? undefined : await startEmbeddedPostgres({ dataDir: folder, unsafeFast: true });
  const databaseUrl = given ?? embedded?.connectionString ?? '';
  const templateDatabase = `parley_template_${randomBytes(4).toString('hex')}`;
  await administer(databaseUrl, `create database ${templateDatabase}`);
  await prepareTemplate(withDatabase(databaseUrl, templateDatabase));
  project.provide('databaseUrl', databaseUrl);
  project.provide('templateDatabase', templateDatabase);
  return async () => {
    await administer(databaseUrl, `drop database if exists ${templateDatabase} with (force)`);
    await embedded?.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

async function prepareTemplate(url: string): Promise<void> {
  const log = createLog({ logLevel: 'silent' });
  const open = await connect(url, { databasePoolSize: 2 }, log);
  const jobs = await startJobs(url, log);
  await jobs.stop();
  await open.close();
}
