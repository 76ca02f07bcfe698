import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config.ts';

/** A secret of 256 random bits, safe in addresses and cookies. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** How secrets of `newSecret` are stored. Plain SHA-256: with 256 random bits there is nothing to guess. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Encrypts what must be read again: AES-256-GCM, bound to its row by `owner`, so that it can't be moved to another. */
export interface Vault {
  encrypt: (plaintext: string, owner: string) => string;
  /** Throws when the text was changed, belongs to another owner or was encrypted under another key. */
  decrypt: (ciphertext: string, owner: string) => string;
  /** 256 bits that only this installation can make of a text; for another purpose they are others. */
  prove: (text: string, purpose: string) => string;
}

/** The installation's key: `SECRET_KEY`, else `<dataDir>/secret.key`, which is made on the first start. */
export async function openVault(config: Pick<Config, 'secretKey' | 'dataDir'>): Promise<Vault> {
  const secret = config.secretKey ?? (await readOrMakeKeyFile(path.join(config.dataDir, 'secret.key')));
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'parley vault', 32));
  const proofKey = Buffer.from(hkdfSync('sha256', secret, '', 'parley proof', 32));
  return {
    encrypt: (plaintext, owner) => {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    decrypt: (ciphertext, owner) => {
      const bytes = Buffer.from(ciphertext, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
      decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    },
    prove: (text, purpose) =>
      createHmac('sha256', proofKey).update(`${purpose}\0${text}`).digest('base64url'),
  };
}

/** Several processes may start at once: the first one's key is everybody's. */
async function readOrMakeKeyFile(file: string): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true });
  try {
    await writeFile(file, newSecret(), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}
