import type { TestProject } from 'vitest/node';
import { startRunDatabase } from './run-database.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The maintenance database; each test file creates its own from `templateDatabase`. */
    databaseUrl: string;
    templateDatabase: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, template, stop } = await startRunDatabase();
  project.provide('databaseUrl', url);
  project.provide('templateDatabase', template);
  return stop;
}
