import { UPLOAD_LIFETIME_HOURS } from '../../contract/limits.ts';
import { localKeeper } from '../storage.ts';

/** An unfinished upload begun in this browser: where it is, and how to recognize its file. Contains no secret. */
export interface Remembered {
  /** The purpose of the file; the upload isn't resumed for another. */
  scope: string;
  name: string;
  size: number;
  lastModified: number;
  uploadUrl: string;
  sent: number;
  begunAt: number;
}

const KEY = 'parley.uploads';
const MOST = 50;

/** The uploads the server may still have, oldest first. */
export function rememberedUploads(scope: string): Remembered[] {
  return readAll().filter((upload) => upload.scope === scope);
}

export function remember(upload: Remembered): void {
  write([...readAll().filter(({ uploadUrl }) => uploadUrl !== upload.uploadUrl), upload].slice(-MOST));
}

export function forget(uploadUrl: string): void {
  write(readAll().filter((upload) => upload.uploadUrl !== uploadUrl));
}

/** The unfinished upload of this file, as far as name, size and modification time can tell. */
export function recall(scope: string, { name, size, lastModified }: File): Remembered | undefined {
  return rememberedUploads(scope).find(
    (upload) => upload.name === name && upload.size === size && upload.lastModified === lastModified,
  );
}

function readAll(): Remembered[] {
  const oldest = Date.now() - UPLOAD_LIFETIME_HOURS * 3_600_000;
  try {
    const kept: unknown = JSON.parse(localKeeper.get(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isRemembered).filter(({ begunAt }) => begunAt > oldest) : [];
  } catch {
    return [];
  }
}

function write(uploads: Remembered[]): void {
  if (uploads.length === 0) localKeeper.remove(KEY);
  else localKeeper.set(KEY, JSON.stringify(uploads));
}

/** What another version of this page, or anybody else, left there may be anything. */
function isRemembered(value: unknown): value is Remembered {
  if (typeof value !== 'object' || value === null) return false;
  const upload = value as Partial<Record<keyof Remembered, unknown>>;
  return (
    typeof upload.scope === 'string' &&
    typeof upload.name === 'string' &&
    typeof upload.uploadUrl === 'string' &&
    /^\/v1\/file\/upload\/upl_\w+$/.test(upload.uploadUrl) &&
    [upload.size, upload.lastModified, upload.sent, upload.begunAt].every(Number.isFinite)
  );
}
