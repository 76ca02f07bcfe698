import { afterAll, beforeAll, expect, test } from 'vitest';
import { Cluster, whyNoCluster } from '../cluster/cluster.ts';
import { faultNames } from '../cluster/faults.ts';
import { tryCluster } from '../cluster/trial.ts';
import { trySilentRedis, tryVanishing } from '../cluster/vanishing.ts';

/**
 * Three web processes behind nginx, two workers, PostgreSQL and Redis, each on its own node, and each killed and cut
 * off at random moments, as often as `CLUSTER_ROUNDS` says. Needs root, network namespaces, nginx, Redis and the built
 * server (`node scripts/bootstrap.mjs`); `test/cluster/postgres.ts` describes how to test it on a PostgreSQL 17 with
 * pgvector.
 */
let cluster: Cluster;
beforeAll(async () => {
  expect(whyNoCluster()).toBeUndefined();
  cluster = await Cluster.start();
  console.log(`cluster on ${cluster.postgresLabel}`);
});
afterAll(() => cluster?.remove());

test('writers, listeners and knowledge readers survive killed and isolated cluster nodes', () =>
  tryCluster(cluster, {
    rounds: Number(process.env['CLUSTER_ROUNDS'] ?? 40),
    kinds: faultNames,
    writers: 16,
    lastsMs: [1000, 6000],
  }));

test('a web process vanishes with its machine, and its unfinished work is given up', () =>
  tryVanishing(cluster));

test('while Redis is silent for half a minute, each process notifies its own tabs', () =>
  trySilentRedis(cluster));
