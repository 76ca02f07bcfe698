import { once } from 'node:events';
import { createServer, type ListenOptions, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { StartError } from '../start-error.ts';

/** How many connections are accepted per event loop iteration. */
const DOORS = 16;
/** The backlog of each socket; Node's default. */
const QUEUE = 511;

/**
 * Listens at an address on several sockets. Node accepts one connection per socket and event loop iteration, which is
 * some fifty per second under load: new clients would wait in the backlog for seconds, and could not even be told to
 * come back later. If the system doesn't share a port among sockets, there is one. Errors: those of `listen`;
 * `EADDRINUSE` also if the other program would share its port.
 */
export async function listenAt(
  http: FastifyInstance,
  address: { host: string; port: number },
): Promise<void> {
  const doors: Server[] = [];
  http.addHook('preClose', async () => {
    await Promise.all(doors.map(shut));
  });
  await shut(await open(address));
  const shared = { ...address, backlog: QUEUE, reusePort: true };
  const isShared = await http.listen(shared).then(
    () => true,
    async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') throw error;
      return false;
    },
  );
  if (!isShared) return void (await http.listen(address));
  const { port } = http.server.address() as { port: number };
  for (let door = 1; door < DOORS; door += 1) doors.push(await open({ ...shared, port }, http.server));
}

/**
 * What Node's HTTP server sets on its own connections. Without `noDelay`, the end of an answer waits up to 40 ms for
 * the peer to acknowledge what came before.
 */
const AS_HTTP = { noDelay: true, allowHalfOpen: true };

/** A socket that accepts connections for `server`. */
async function open(address: ListenOptions, server?: Server): Promise<Server> {
  const door = createServer(AS_HTTP, (socket) => server?.emit('connection', socket));
  door.listen(address);
  await once(door, 'listening');
  return door;
}

async function shut(door: Server): Promise<void> {
  const closed = once(door, 'close');
  door.close();
  await closed;
}

/** Tells the operator what to do if nothing could listen there; returns any other error as is. */
export function explainListen(error: unknown, { host, port }: { host: string; port: number }): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new StartError(`Port ${port} is in use. Stop what is using it, or set PORT.`);
  if (code === 'EACCES')
    return new StartError(`Port ${port} needs more permissions. Set PORT to one above 1023.`);
  if (!['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code)) return error;
  return new StartError(
    `HOST is ${host}, which is not an address of this machine. Set it to one that is, or to 0.0.0.0 for all.`,
  );
}
