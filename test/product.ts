import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createClient } from '../src/contract/client.ts';
import { contract } from '../src/contract/index.ts';
import type { Session } from '../src/contract/identity.ts';
import { createApp, type App } from '../src/server/app.ts';
import { readConfig, type Config } from '../src/server/config/config.ts';
import { createLog } from '../src/server/log.ts';
import { connect, type TestClient } from './client.ts';
import { createTestDatabase } from './database.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

export { connect, type TestClient } from './client.ts';

/** A person's state: signed out, signed in as a guest, or registered. */
export type Standing = 'anonymous' | 'guest' | 'member';

export interface Product {
  url: string;
  app: App;
  databaseUrl: string;
  /** The typed client as this person, who is signed in (and registered) on the first call. The same name is the same person. */
  as: (name: string, standing?: Standing) => TestClient;
  /** The person's session, for what the client does not cover: sockets, streams, raw requests. */
  sessionOf: (name: string, standing?: Standing) => Promise<Session>;
  close: () => Promise<void>;
}

/**
 * The real application on its own database and a free port; each line of its log is added to `logged`, if given;
 * `reached` maps the address where it finds its database.
 */
export async function startProduct(
  overrides: Partial<Config> = {},
  { logged, reached = (url) => url }: { logged?: string[]; reached?: (databaseUrl: string) => string } = {},
): Promise<Product> {
  const database = await createTestDatabase();
  const dataDir = await makeTemporaryFolder('data');
  const config: Config = {
    ...readConfig({
      PORT: '0',
      DATABASE_URL: reached(database.url),
      DATA_DIR: dataDir,
      TRUSTED_PROXIES: '127.0.0.1',
      // A test has more guests than an office; the limit itself is tested with its default.
      GUEST_CONVERSATIONS_PER_HOUR: '1000',
      // Plans are tested elsewhere.
      BILLING_MODE: 'off',
    }),
    logLevel: (process.env['LOG_LEVEL'] as 'silent') ?? 'silent',
    databasePoolSize: 8,
    seedDemo: false,
    ...overrides,
  };
  const app = await createApp(
    config,
    createLog(config, logged && { write: (line) => void logged.push(line) }),
  );
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  const people = new People(url);
  return {
    url,
    app,
    databaseUrl: database.url,
    as: (name, standing = 'member') => people.client(name, standing),
    sessionOf: (name, standing = 'member') => people.session(name, standing),
    close: async () => {
      await app.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

class People {
  readonly #url: string;
  readonly #sessions = new Map<string, Promise<Session>>();

  constructor(url: string) {
    this.#url = url;
  }

  client(name: string, standing: Standing): TestClient {
    return connect({
      baseUrl: this.#url,
      token: async () =>
        standing === 'anonymous' ? undefined : (await this.session(name, standing)).idToken,
      fetch: from(name),
    });
  }

  session(name: string, standing: Standing): Promise<Session> {
    const key = `${standing} ${name}`;
    const known = this.#sessions.get(key) ?? this.#signIn(name, standing);
    this.#sessions.set(key, known);
    return known;
  }

  async #signIn(name: string, standing: Standing): Promise<Session> {
    const fetch = from(name);
    const nobody = createClient(contract, { baseUrl: this.#url, fetch });
    let cookie = '';
    const keepCookies: typeof globalThis.fetch = async (input, init) => {
      const response = await fetch(input, {
        ...init,
        headers: { ...(init?.headers as Record<string, string>), cookie },
      });
      cookie = response.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ');
      return response;
    };
    if (standing === 'guest') return nobody.identity.signInAsGuest();
    const browser = createClient(contract, { baseUrl: this.#url, fetch: keepCookies });
    const guest = await browser.identity.signInAsGuest();
    const registering = createClient(contract, { baseUrl: this.#url, fetch, token: () => guest.idToken });
    await registering.user.register({ name, username: `${name}-${guest.user.uid.slice(-6)}` });
    const { session } = await browser.identity.refresh();
    if (!session) throw new Error('The session could not be renewed.');
    return session;
  }
}

/** Each person has their own address, so that per-address limits don't interfere with a test. */
function from(name: string): typeof fetch {
  const bytes = Buffer.from(name).reduce((hash, byte) => (hash * 31 + byte) >>> 0, 7);
  const address = `10.${(bytes >> 16) & 255}.${(bytes >> 8) & 255}.${bytes & 255}`;
  return (input, init) =>
    fetch(input, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), 'x-forwarded-for': address },
    });
}
