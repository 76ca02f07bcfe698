import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { webs, type Cluster } from './cluster.ts';
import { Member } from './member.ts';

const SETTLED_WITHIN_MS = 60_000;

/**
 * A machine that is gone for good closes no connections: they stay open until the database probes whether their peer is
 * alive. Its work in progress is then abandoned, and the question can be asked again at the others.
 */
export async function tryVanishing(cluster: Cluster): Promise<void> {
  const member = await Member.register(cluster.url);
  const [web] = webs;
  const conversationId = await member.beginStoryAt(cluster.urlOf(web));
  await cluster.network.cut(web);
  await cluster.program(web).kill();
  try {
    const since = performance.now();
    const state = async () => (await member.lastAnswer(conversationId)).state;
    await expect.poll(state, { timeout: SETTLED_WITHIN_MS, interval: 250 }).toBe('incomplete');
    const seconds = ((performance.now() - since) / 1000).toFixed(1);
    console.log(`cluster: the work of a vanished web process was abandoned after ${seconds} s`);
    const { text } = await member.lastAnswer(conversationId);
    expect(text).toMatch(/^word0 word1 /);
  } finally {
    await cluster.network.heal(web);
    await cluster.program(web).start();
  }
}

const LONG_MS = 30_000;

/** Redis doesn't respond for longer than anybody waits: events at a process still reach its own tabs. */
export async function trySilentRedis(cluster: Cluster): Promise<void> {
  const [web] = webs;
  const member = await Member.register(cluster.urlOf(web));
  const listener = member.listenAt(cluster.urlOf(web));
  try {
    await expect.poll(() => listener.isWatching).toBe(true);
    await cluster.network.cut('redis');
    await delay(LONG_MS);
    const conversationId = await member.sayAt(cluster.urlOf(web));
    const isHeard = () => listener.conversations.has(conversationId);
    await expect.poll(isHeard).toBe(true);
  } finally {
    listener.close();
    await cluster.network.heal('redis');
  }
}
