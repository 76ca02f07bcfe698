import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { SOCKETS_PER_USER_MAX } from '../../src/contract/limits.ts';
import { openBrowserClient } from '../../test/browser-client.ts';
import type { Stage, Stand } from './stage.ts';

type News =
  | { news: 'open'; seconds: number }
  | { news: 'back'; seconds: number }
  | { news: 'heard'; spreads: number[] };

/** Many members with many sockets each, held by a separate process. */
export class Crowd {
  readonly #process: ChildProcess;
  readonly #news: AsyncIterator<string>;

  private constructor(process: ChildProcess, news: AsyncIterator<string>) {
    this.#process = process;
    this.#news = news;
  }

  static async gather(stage: Stage, stand: Stand, sockets: number): Promise<Crowd> {
    const tokens: string[] = [];
    const database = new pg.Client({ connectionString: stage.databaseUrl });
    await database.connect();
    for (let index = 0; index < Math.ceil(sockets / SOCKETS_PER_USER_MAX); index += 1) {
      const browser = openBrowserClient(stage.url, { 'x-forwarded-for': `10.2.0.${index + 1}` });
      browser.adopt(await browser.client.identity.signInAsGuest());
      const name = `crowd-${index}-${Date.now() % 1e6}`;
      const { user } = await browser.client.user.register({ name, username: name });
      browser.adopt((await browser.client.identity.refresh()).session ?? undefined);
      // Invites would take an email each, and how a user becomes a member isn't being measured.
      await database.query(
        `insert into member (id, organization_id, user_id, role) values ($1, $2, $3, 'editor')`,
        [`mem_${randomUUID().replaceAll('-', '').slice(0, 26)}`, stand.organizationId, user.uid],
      );
      tokens.push(browser.token() ?? '');
    }
    await database.end();
    const child = spawn(
      process.execPath,
      ['bench/load/sockets.ts', stage.url, stand.agentId, JSON.stringify(tokens), String(sockets)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    return new Crowd(child, createInterface({ input: child.stdout })[Symbol.asyncIterator]());
  }

  /** The next piece of news of this kind; any other news before it is skipped. */
  async next<N extends News['news']>(kind: N): Promise<Extract<News, { news: N }>> {
    for (;;) {
      const { value, done } = await this.#news.next();
      if (done) throw new Error('The process that holds the sockets has exited.');
      const news = JSON.parse(value) as News;
      if (news.news === kind) return news as Extract<News, { news: N }>;
    }
  }

  async leave(): Promise<void> {
    this.#process.kill('SIGKILL');
    await once(this.#process, 'exit');
  }
}
