import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { send } from '../contract/client.ts';
import { contract } from '../contract/index.ts';
import { CliError, wrongUsage } from './cli-error.ts';
import { findAgent, organizationSession } from './session.ts';
import type { Output } from './terminal.ts';

/** Writes an agent to a file, which appears only once complete. Memory use doesn't grow with it. */
export async function exportAgent(
  called: string,
  file: string | undefined,
  { force }: { force: boolean },
  output: Output,
): Promise<void> {
  if (file === '-' && process.stdout.isTTY) throw wrongUsage('A ZIP file cannot be shown in a terminal.');
  const session = await organizationSession();
  const { id, handle } = await findAgent(session, called);
  const target = file ?? `${handle}.zip`;
  if (target !== '-' && !force && existsSync(target))
    throw new CliError(`"${target}" already exists; use --force to overwrite it.`);
  const { organizationId } = session;
  const response = await send(contract.agentFile.export, { id, organizationId }, session.options, {
    headers: { accept: 'application/zip' },
  });
  const bytes = Readable.fromWeb(response.body as ReadableStream);
  if (target === '-') return pipeline(bytes, process.stdout);
  const part = `${target}.part`;
  try {
    await pipeline(bytes, createWriteStream(part));
    await rename(part, target);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  output.result({ agentId: id, file: target }, `Written to ${target}.`);
}
