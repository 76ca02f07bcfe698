import { once } from 'node:events';
import type { Child } from '../child.ts';

/** What remains in a running server after garbage collection. */
export interface Left {
  heapMib: number;
  /** Open sockets, timers and files, as counted by Node. */
  handles: number;
}

/** Looks into a server through Node's inspector, which opens on SIGUSR1. */
export async function leftIn(server: Child, port: number): Promise<Left> {
  server.signal('SIGUSR1');
  const [target] = (await fetchAgain(`http://127.0.0.1:${port}/json/list`)) as {
    webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
  await once(socket, 'open');
  let count = 0;
  const call = async (method: string, params: object = {}): Promise<Record<string, unknown>> => {
    const id = (count += 1);
    socket.send(JSON.stringify({ id, method, params }));
    for (;;) {
      const [event] = (await once(socket, 'message')) as [MessageEvent<string>];
      const answer = JSON.parse(event.data) as { id?: number; result?: Record<string, unknown> };
      if (answer.id === id) return answer.result ?? {};
    }
  };
  await call('HeapProfiler.enable');
  await call('HeapProfiler.collectGarbage');
  const { usedSize } = await call('Runtime.getHeapUsage');
  const expression = 'process.getActiveResourcesInfo().length';
  const { result } = await call('Runtime.evaluate', { expression });
  socket.close();
  return { heapMib: Number(usedSize) / 2 ** 20, handles: (result as { value: number }).value };
}

async function fetchAgain(url: string): Promise<unknown> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await (await fetch(url)).json();
    } catch (error) {
      if (attempt > 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
