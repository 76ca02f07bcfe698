/** What a sealed text is bound to, where that is more than the id of its row. */

/** Of an answer that is kept under an Idempotency-Key. */
export function answerOwner({ userId, key }: { userId: string; key: string }): string {
  return `${userId} ${key}`;
}

interface Service {
  serverUrl: string | null;
  tokenUrl: string | null;
  clientId: string | null;
}

/** Of somebody's tokens at a service: they are sent nowhere else, and as no other client. */
export function accountOwner(accountId: string, { serverUrl, tokenUrl, clientId }: Service): string {
  return JSON.stringify([accountId, serverUrl, tokenUrl, clientId]);
}
