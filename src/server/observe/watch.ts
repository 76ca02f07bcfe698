import type { FastifyInstance } from 'fastify';
import { createBacklog } from '../load/backlog.ts';
import type { Config } from '../config/config.ts';
import type { OpenDatabase } from '../db/open.ts';
import type { Waits } from '../db/scope.ts';
import type { Deps } from '../deps.ts';
import { trustedProxies } from '../http/proxies.ts';
import type { Log } from '../log.ts';
import { createMetrics } from './metrics.ts';
import { openTraces } from './traces.ts';

/** The observers of everything that happens, from the first request on. */
export async function watch(
  config: Config,
  log: Log,
  http: FastifyInstance,
): Promise<Pick<Deps, 'backlog' | 'metrics' | 'traces'> & Waits> {
  const backlog = createBacklog();
  const metrics = await createMetrics(config.operations.metricsToken);
  const traces = await openTraces(config.operations, log);
  metrics.count(http);
  traces.follow(http, trustedProxies(config.trustedProxies));
  const wait = () => {
    const since = performance.now();
    const over = backlog.wait();
    return () => {
      over();
      metrics.waited(performance.now() - since);
    };
  };
  return { backlog, metrics, traces, wait };
}

/** What people who monitor the installation request. */
export function look({ metrics, db, realtime, backlog, models }: Deps, { pools }: OpenDatabase): void {
  const { refused } = backlog;
  metrics.look({ pools, owner: db.owner, sockets: realtime.open, refused, resting: models.resting });
}
