import { test } from 'vitest';
import { Cluster, whyNoCluster } from './cluster/cluster.ts';
import { faultNames } from './cluster/faults.ts';
import { tryCluster } from './cluster/trial.ts';

/** A short version of `test/torture/cluster.torture.ts`: each kind of fault once. */
const reason = whyNoCluster();
if (reason) console.log(`The cluster is not tried: ${reason}.`);

test.skipIf(reason !== undefined)(
  'several processes behind nginx survive the death and the silence of each',
  async () => {
    const cluster = await Cluster.start();
    try {
      await tryCluster(cluster, {
        rounds: faultNames.length,
        kinds: faultNames,
        writers: 8,
        lastsMs: [500, 2000],
      });
    } finally {
      await cluster.remove();
    }
  },
  300_000,
);
