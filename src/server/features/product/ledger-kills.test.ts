import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Server } from '../../../../test/e2e/server.ts';
import { readLedger, requireSoundLedgers } from '../../../../test/ledger.ts';
import { eventually } from '../../../../test/payments.ts';
import { connect, startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { buy, connectAccount, pack, sell } from '../../../../test/selling.ts';
import { settleInterrupted } from '../chat/interrupted.ts';

/** The ledger while one of two processes is killed over and over. */

let product: Product;
let provider: Provider;
let ada: TestClient;
let organizationId: string;
let doomed: Server;
let people = 0;

beforeAll(async () => {
  provider = await startProvider({ pieces: ['Yes.'] });
  product = await startProduct({
    providers: { openai: provider.openai },
  });
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  await connectAccount(product, ada, organizationId);
  doomed = await Server.start({
    DATABASE_URL: product.databaseUrl,
    SECRET_KEY: await readFile(path.join(product.app.deps.config.dataDir, 'secret.key'), 'utf8'),
    ...provider.environment,
    GUEST_CONVERSATIONS_PER_HOUR: '1000',
    SEED_DEMO: 'off',
  });
});
afterAll(async () => {
  await doomed.kill('SIGKILL');
  await product.close();
  await provider.close();
});

const query = (sql: string, values: unknown[] = []) => product.app.deps.db.owner.query(sql, values);
const slow = { pieces: ['Late.'], firstPieceAfterMs: 300 };

/** A person who buys and asks. */
class Person {
  readonly #agentId: string;
  readonly #productId: string;
  readonly #name: string;
  readonly #client: TestClient;
  readonly #bought: string[] = [];

  constructor(agentId: string, productId: string) {
    this.#agentId = agentId;
    this.#productId = productId;
    this.#name = `somebody ${(people += 1)}`;
    this.#client = product.as(this.#name, 'guest');
  }

  async buys(): Promise<void> {
    this.#bought.push((await buy(product, this.#client, this.#productId)).id);
  }

  async getsMoneyBack(): Promise<void> {
    const id = this.#bought.shift();
    if (id !== undefined) await ada.purchase.refund({ id });
  }

  async asks(
    script: Provider['script'],
    meanwhile: (id: string) => Promise<unknown> = async () => {},
    client = this.#client,
  ): Promise<void> {
    provider.script = script;
    const { id } = (await this.#client.chat.create({ chatbotId: this.#agentId })).conversation;
    // The guest allowance is not under test here.
    await query('delete from allowance');
    const sent = client.chat.send({ id, text: 'Well?' }).catch(() => undefined);
    await meanwhile(id);
    await sent;
  }

  async stops(): Promise<void> {
    await this.asks(slow, async (id) => {
      await isHeld(id);
      await this.#client.chat.stop({ id });
    });
  }

  /** Asks the process, which is killed this long after the question. */
  async isAnsweredByTheDead(afterMs: number): Promise<void> {
    const { idToken } = await product.sessionOf(this.#name, 'guest');
    const there = connect({ baseUrl: doomed.url, token: () => idToken });
    await this.asks(
      slow,
      async () => {
        await sleep(afterMs);
        await doomed.kill('SIGKILL');
      },
      there,
    );
    await Promise.all([settleInterrupted(product.app.deps.db.owner), doomed.startAgain()]);
  }
}

const isHeld = (id: string) =>
  eventually(async () => {
    const { rowCount } = await query('select from message where conversation_id = $1 and held > 0', [id]);
    return rowCount === 1;
  }, 0.25).catch(() => undefined);

type Step = (person: Person) => Promise<unknown>;

const steps: fc.Arbitrary<readonly [string, Step]> = fc.oneof(
  fc.constantFrom<readonly [string, Step]>(
    ['buys', (person) => person.buys()],
    ['asks', (person) => person.asks({ pieces: ['Yes.'] })],
    ['asks in vain', (person) => person.asks({ pieces: [], status: 401 })],
    ['stops', (person) => person.stops()],
    ['gets money back', (person) => person.getsMoneyBack()],
    ['gets money back while asking', (person) => person.asks(slow, () => person.getsMoneyBack())],
    [
      'asks twice at once',
      (person) => Promise.all([person.asks({ pieces: ['Yes.'] }), person.asks({ pieces: ['Yes.'] })]),
    ],
  ),
  fc
    .integer({ min: 0, max: 400 })
    .map((ms): readonly [string, Step] => [
      `is killed after ${ms} ms`,
      (person) => person.isAnsweredByTheDead(ms),
    ]),
);

test('after any events in any order, and any kills, a balance is the sum of its entries', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 8, maxLength: 14 }), async (history) => {
      const key = {
        organizationId,
        agentId: (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id,
      };
      const person = new Person(key.agentId, (await sell(ada, key, pack(4))).id);
      await person.buys();
      for (const [, step] of history) {
        await step(person);
        await requireSoundLedgers(product);
      }
      await eventually(async () => ((await readLedger(product, key.agentId))['held'] ?? 0) === 0);
      const { spent = 0 } = await readLedger(product, key.agentId);
      // An answer its sender never received, because the process died, still counts.
      const { rows } = await query(
        `select count(*)::int as answers from message m join conversation c on c.id = m.conversation_id
          where c.agent_id = $1 and m.role = 'assistant' and m.text <> ''`,
        [key.agentId],
      );
      expect(spent).toBeLessThanOrEqual(rows[0]?.answers);
      await requireSoundLedgers(product);
    }),
    { numRuns: 3, endOnFailure: true },
  );
});
