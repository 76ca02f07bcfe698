import { ATTACHMENT_TEXT_MAX_CHARACTERS, ATTACHMENTS_A_MESSAGE_MAX } from '../../../contract/limits.ts';
import { AppError } from '../../app-error.ts';
import type { OpenChannel } from '../../channels/channel.ts';
import type { Deps } from '../../deps.ts';
import type { OpenedFile } from '../../documents.ts';
import type { StoredChannelMessage } from './store.ts';

/** Transcribes speech; undefined if transcription isn't available. */
export type Hear = (recording: Buffer) => Promise<string | undefined>;

type ChannelFile = StoredChannelMessage['files'][number];

export interface Taken {
  /** What was written, plus what was said. */
  text: string;
  files: OpenedFile[];
  /** All of the message's files, with the reason for each that couldn't be accepted. */
  noted: ChannelFile[];
}

/**
 * Fetches a message's files, by the same rules as chat attachments. A file that can't be accepted doesn't prevent
 * asking. Errors: `channel/unavailable`, if the next attempt may succeed.
 */
export async function takeFiles(
  { documents }: Pick<Deps, 'documents'>,
  channel: OpenChannel,
  { text, files: given }: StoredChannelMessage,
  hear: Hear,
): Promise<Taken> {
  const said = [text];
  const files: OpenedFile[] = [];
  const noted: ChannelFile[] = [];
  for (const [index, { refusal: _before, ...file }] of given.entries()) {
    try {
      if (index >= ATTACHMENTS_A_MESSAGE_MAX) throw tooMany();
      const data = await channel.readFile(file.reference);
      if (file.isSpoken) said.push(await heard(hear, data));
      else files.push(await documents.open(fileOf(file.name, data), ATTACHMENT_TEXT_MAX_CHARACTERS));
      noted.push(file);
    } catch (error) {
      noted.push({ ...file, refusal: `${file.name}: ${reasonOf(error)}` });
    }
  }
  return { text: said.filter((part) => part !== '').join('\n'), files, noted };
}

async function heard(hear: Hear, data: Buffer): Promise<string> {
  const words = await hear(data);
  if (words === undefined || words === '')
    throw new AppError('model/unavailable', 'Voice messages are not supported here. Please write instead.');
  return words;
}

function tooMany(): AppError {
  return new AppError('request/too-large', `A message can have at most ${ATTACHMENTS_A_MESSAGE_MAX} files.`);
}

function fileOf(name: string, data: Buffer): File {
  return new File([new Uint8Array(data)], name);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof AppError) || error.code === 'channel/unavailable') throw error;
  return error.message;
}
