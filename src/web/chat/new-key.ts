/**
 * An idempotency key for one composed message: the server stores it once, however often it is sent. Not `randomUUID`,
 * which pages have only over https.
 */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
