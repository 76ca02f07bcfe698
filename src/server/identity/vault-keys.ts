import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** What one secret of an installation does. */
export interface VaultKey {
  encrypt: (plaintext: string, owner: string) => string;
  /** Throws for text that was sealed under another secret or for another owner, or was changed. */
  decrypt: (ciphertext: string, owner: string) => string;
  prove: (text: string, purpose: string) => string;
}

export function vaultKeyOf(secret: string): VaultKey {
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
