import { createHash } from 'node:crypto';
import { planOf, requireWithin } from '../../access/quota.ts';
import { AppError } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../id.ts';
import { addressOfImage, newImageName, storageKeyOf } from '../../images/address.ts';
import { makePicture } from '../../images/make-photo.ts';
import { AgentFileError, type Archive } from './archive.ts';
import type { CheckedFile } from './check-file.ts';
import { updateImport, type ImportKey } from './store.ts';

/** Rules for every imported file. */
export interface FileRules {
  /** A name that is safe to display. */
  nameOf: (given: string) => string;
  /** The media type, by content. Errors: `storage/file-type` for unsupported files. */
  typeOf: (name: string, data: Buffer) => string;
}

export interface StoredFile {
  id: string;
  name: string;
  mediaType: string;
  sizeBytes: number;
  sha256: string;
}

/** What has been stored of the file, by its path in the file. */
export interface StoredBytes {
  files: Map<string, StoredFile>;
  /** Their addresses here. */
  images: Map<string, string>;
  /** All keys in storage. */
  keys: string[];
}

/** No picture of an agent or a card is larger. */
const PICTURE_MAX_PIXELS = 512;

/**
 * Stores raw files and pictures, under keys the import knows beforehand. A file's type is determined by its content,
 * whatever its name, within the size limit for uploads, and a picture is re-encoded. Errors: `AgentFileError` for
 * unsupported files or ones the plan doesn't allow.
 */
export async function storeBytes(
  { config, db, storage }: Deps,
  key: ImportKey,
  {
    archive,
    checked,
    rules,
    signal,
  }: { archive: Archive; checked: CheckedFile; rules: FileRules; signal: AbortSignal },
): Promise<StoredBytes> {
  const fileIds = new Map(checked.files.keys().map((path) => [path, newId('file')]));
  const imageNames = new Map(checked.images.values().map((path) => [path, newImageName()]));
  const storageKeys = [...fileIds.values(), ...[...imageNames.values()].map(storageKeyOf)];
  const plan = await db.in(key, async (tx) => {
    await updateImport(tx, key, { storageKeys });
    return planOf(tx, config, key.organizationId);
  });
  const files = new Map<string, StoredFile>();
  for (const [path, id] of fileIds) {
    signal.throwIfAborted();
    const data = await archive.bytes(path);
    const name = rules.nameOf(checked.files.get(path) ?? '');
    const mediaType = readably(path, () => {
      if (plan) requireWithin(config, plan.planType, 'largestFileBytes', data.length);
      return rules.typeOf(name, data);
    });
    await storage.put(id, data);
    const sha256 = createHash('sha256').update(data).digest('hex');
    files.set(path, { id, name, mediaType, sizeBytes: data.length, sha256 });
  }
  const images = new Map<string, string>();
  for (const [path, name] of imageNames) {
    signal.throwIfAborted();
    const picture = await makePicture(await archive.bytes(path), PICTURE_MAX_PIXELS).catch((error: unknown) =>
      readably(path, () => {
        throw error;
      }),
    );
    await storage.put(storageKeyOf(name), picture);
    images.set(path, addressOfImage(name));
  }
  return { files, images, keys: storageKeys };
}

function readably<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof AppError ? new AgentFileError(`${path}: ${error.message}`) : error;
  }
}
