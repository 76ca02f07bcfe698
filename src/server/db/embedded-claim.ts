import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';

/**
 * Shows other programs that this process uses the embedded database, even while that is down: the advisory lock goes
 * with the database, and a second program would otherwise start it for itself. The socket answers exactly as long as
 * the process lives, so it cannot be stale. Only the holder of the lock may call this. Returns how to end it.
 */
export async function claim(socket: string): Promise<() => void> {
  // One left by a killed process.
  await rm(socket, { force: true });
  const server = createServer((connection) => connection.destroy());
  server.listen(socket);
  await once(server, 'listening');
  server.unref();
  return () => void server.close();
}

/** Whether a living process has claimed it. */
export async function isClaimed(socket: string): Promise<boolean> {
  const connection = connect(socket);
  return once(connection, 'connect')
    .then(
      () => true,
      ({ code = '' }: NodeJS.ErrnoException) => !['ECONNREFUSED', 'ENOENT'].includes(code),
    )
    .finally(() => connection.destroy());
}
