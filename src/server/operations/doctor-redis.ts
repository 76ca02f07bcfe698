import type { Config } from '../config/config.ts';
import { error, ok, type Finding } from './findings.ts';

const REDIS_TIMEOUT_MS = 5000;

/** Whether Redis, if one is configured, answers. A server that runs goes on without it, and a new one does not start. */
export async function lookAtRedis({ redisUrl }: Pick<Config, 'redisUrl'>): Promise<Finding[]> {
  if (redisUrl === undefined) return [];
  const { createClient } = await import('redis');
  const client = createClient({
    url: redisUrl,
    socket: { reconnectStrategy: false, connectTimeout: REDIS_TIMEOUT_MS, socketTimeout: REDIS_TIMEOUT_MS },
  });
  // The same error as that of `connect`.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.ping();
    return [ok('Redis answers.')];
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return [error(`The Redis of REDIS_URL cannot be used: ${why}`)];
  } finally {
    client.destroy();
  }
}
