import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { makeFolders } from '../folders/make-folders.ts';
import { vaultKeyOf, type VaultKey } from './vault-keys.ts';

/** A secret of 256 random bits, safe in URLs and cookies. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** How secrets from `newSecret` are stored. Plain SHA-256: 256 random bits can't be guessed. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/**
 * Encrypts what must be read again: AES-256-GCM, bound to its row by `owner`, so that it can't be moved to another.
 * While one secret replaces another, what was sealed and proven under the previous one is still readable and accepted.
 */
export interface Vault {
  encrypt: (plaintext: string, owner: string) => string;
  /** Throws if the text was changed, belongs to another owner or was encrypted under an unknown key. */
  decrypt: (ciphertext: string, owner: string) => string;
  /** 256 bits that only this installation can derive from a text; each purpose gives different ones. */
  prove: (text: string, purpose: string) => string;
  /** Whether we made this proof. */
  proves: (text: string, purpose: string, proof: string) => boolean;
  /** Which secret it was sealed under; undefined: no known one, or another owner. */
  sealedUnder: (ciphertext: string, owner: string) => 'current' | 'previous' | undefined;
}

/** The installation's key: `SECRET_KEY`, otherwise `<dataDir>/secret.key`, which is created on the first start. */
export async function openVault({
  secretKey,
  dataDir,
  operations: { secretKeyPrevious },
}: Pick<Config, 'secretKey' | 'dataDir' | 'operations'>): Promise<Vault> {
  return vaultOf(secretKey ?? (await readOrMakeKeyFile(path.join(dataDir, 'secret.key'))), secretKeyPrevious);
}

export function vaultOf(secret: string, secretBefore?: string): Vault {
  const current = vaultKeyOf(secret);
  const previous = secretBefore === undefined ? undefined : vaultKeyOf(secretBefore);
  const opens = (key: VaultKey | undefined, ciphertext: string, owner: string): boolean => {
    try {
      return key?.decrypt(ciphertext, owner) !== undefined;
    } catch {
      return false;
    }
  };
  return {
    encrypt: current.encrypt,
    decrypt: (ciphertext, owner) =>
      (previous && !opens(current, ciphertext, owner) ? previous : current).decrypt(ciphertext, owner),
    prove: current.prove,
    proves: (text, purpose, proof) =>
      [current, previous].some((key) => key !== undefined && isSame(key.prove(text, purpose), proof)),
    sealedUnder: (ciphertext, owner) => {
      if (opens(current, ciphertext, owner)) return 'current';
      return opens(previous, ciphertext, owner) ? 'previous' : undefined;
    },
  };
}

function isSame(right: string, given: string): boolean {
  const [a, b] = [Buffer.from(right), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Several processes may start at once: all use the first one's key. */
async function readOrMakeKeyFile(file: string): Promise<string> {
  await makeFolders(path.dirname(file));
  try {
    await writeFile(file, newSecret(), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}
