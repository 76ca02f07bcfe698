import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knowledge } from '../contract/knowledge.ts';
import { CliError } from './cli-error.ts';
import { findAgent, organizationSession, type OrganizationSession } from './session.ts';
import { readInput, type Output } from './terminal.ts';

const POLL_MS = 500;

interface AddOptions {
  title: string | undefined;
  wait: boolean;
}

/** Adds a file, a page or, with `-`, a text to an agent. */
export async function addKnowledge(
  called: string,
  source: string,
  { title, wait }: AddOptions,
  output: Output,
): Promise<void> {
  const session = await organizationSession();
  const { id, name } = await findAgent(session, called);
  const { organizationId } = session;
  const given = await givenBy(session, source, title);
  const { knowledge } = await session.api.knowledge.create({ id, organizationId, ...given });
  const item = wait ? await untilSettled(session, id, knowledge) : knowledge;
  if (item.progress.state === 'failed') throw new CliError(item.progress.error ?? 'It could not be read.');
  const state = wait ? `${name} now knows it` : `${name} is reading it`;
  output.result({ knowledge: item }, `${state}: ${item.knowledgeId}`);
}

async function givenBy({ api, organizationId }: OrganizationSession, source: string, title?: string) {
  if (source === '-') {
    const text = await readInput();
    const called = title === undefined ? { description: text } : { description: title, text };
    return { type: 'text' as const, ...called };
  }
  if (/^https?:\/\//i.test(source))
    return { type: 'website' as const, links: [source], description: title ?? '' };
  const found = await stat(source).catch(() => undefined);
  if (!found?.isFile()) throw new CliError(`No file "${source}" was found.`);
  const media = new File([await openAsBlob(source)], path.basename(source));
  const { file } = await api.file.upload({ organizationId, media });
  return { type: 'file' as const, files: [file.id], description: title ?? '' };
}

async function untilSettled({ api }: OrganizationSession, id: string, item: Knowledge): Promise<Knowledge> {
  let current = item;
  while (current.progress.state !== 'ready' && current.progress.state !== 'failed') {
    await sleep(POLL_MS);
    current = (await api.knowledge.get({ id, knowledgeId: item.knowledgeId })).knowledge;
  }
  return current;
}
