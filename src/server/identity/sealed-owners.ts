/** What a sealed text is bound to, if that is more than its row's ID. */

/** For an answer kept under an Idempotency-Key. */
export function answerOwner({ userId, key }: { userId: string; key: string }): string {
  return `${userId} ${key}`;
}

interface Service {
  serverUrl: string | null;
  tokenUrl: string | null;
  clientId: string | null;
}

/** For a person's tokens at a service: they are sent nowhere else, and as no other client. */
export function accountOwner(accountId: string, { serverUrl, tokenUrl, clientId }: Service): string {
  return JSON.stringify([accountId, serverUrl, tokenUrl, clientId]);
}
