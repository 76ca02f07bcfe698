import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { administer, withDatabase } from './database-server.ts';

export interface TestDatabase {
  url: string;
  drop: () => Promise<void>;
}

/** A database with the whole schema and no data, for one test file. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('databaseUrl');
  const name = `parley_${randomBytes(6).toString('hex')}`;
  await administer(server, `create database ${name} template ${inject('templateDatabase')}`);
  return {
    url: withDatabase(server, name),
    drop: () => administer(server, `drop database if exists ${name} with (force)`),
  };
}
