import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The root of the unpacked Debian packages: a PostgreSQL with pgvector, which neither the embedded one nor the Debian
 * on current servers includes.
 */
export const DEBIAN_POSTGRES = fileURLToPath(
  new URL('../node_modules/.cache/debian-postgres', import.meta.url),
);
/** The user's id, inside that root only. */
export const POSTGRES_ID = 999;

const RELEASE = 'trixie';
const PACKAGES = ['base-files', 'dash', 'postgresql-17', 'postgresql-17-pgvector'];

/**
 * Unpacks it, without installing anything, if it is missing and permissions allow: 400 MB. Without it, the tests that
 * need pgvector are skipped with a message.
 */
export function unpackDebianPostgres(): void {
  if (existsSync(DEBIAN_POSTGRES) || process.getuid?.() !== 0) return;
  console.log(`\n== Unpacking PostgreSQL with pgvector`);
  const unfinished = `${DEBIAN_POSTGRES}-unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(path.dirname(unfinished), { recursive: true });
  const options = ['--quiet', '--variant=extract', `--include=${PACKAGES.join(',')}`];
  const { status } = spawnSync('mmdebstrap', [...options, RELEASE, unfinished], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) return;
  appendFileSync(
    `${unfinished}/etc/passwd`,
    `postgres:x:${POSTGRES_ID}:${POSTGRES_ID}::/var/lib/postgresql:/bin/sh\n`,
  );
  renameSync(unfinished, DEBIAN_POSTGRES);
}
