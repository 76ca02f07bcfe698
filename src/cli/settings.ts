import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { CliError } from './cli-error.ts';

const KeptAgent = z.object({ id: z.string(), handle: z.string(), name: z.string(), apiKey: z.string() });
type KeptAgent = z.infer<typeof KeptAgent>;

const Settings = z.object({
  /** Origin of the server that all keys here belong to. */
  url: z.string(),
  apiKey: z.string().nullable(),
  /** The organization the key belongs to. */
  organizationId: z.string().nullable(),
  /** Agents whose own keys are kept. */
  agents: z.array(KeptAgent),
});
export type Settings = z.infer<typeof Settings>;

export const version = packageJson.version;

/** The same settings from the environment, for machines where nobody logs in. */
interface FromEnvironment {
  url: string | undefined;
  apiKey: string | undefined;
  agentKey: string | undefined;
}

export function readEnvironment(): FromEnvironment {
  const { PARLEY_URL: url, PARLEY_API_KEY: apiKey, PARLEY_AGENT_KEY: agentKey } = process.env;
  return { url, apiKey, agentKey };
}

function folder(): string {
  return path.join(process.env['XDG_CONFIG_HOME'] || path.join(os.homedir(), '.config'), 'parley');
}

/** Undefined before the first login. Errors: the file isn't ours. */
export async function readSettings(): Promise<Settings | undefined> {
  const file = path.join(folder(), 'settings.json');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return Settings.parse(JSON.parse(text));
  } catch {
    throw new CliError(`${file} cannot be understood. Log in again after removing it.`);
  }
}

/** Saves the settings, readable by this user only. The write is atomic: an interruption leaves the old file intact. */
export async function saveSettings(settings: Settings): Promise<void> {
  await mkdir(folder(), { recursive: true, mode: 0o700 });
  const file = path.join(folder(), 'settings.json');
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  // An existing file of this name would have kept its mode.
  await chmod(fresh, 0o600);
  await rename(fresh, file);
}
