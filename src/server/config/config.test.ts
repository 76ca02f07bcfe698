import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

test('without any variables everything has a default, and nothing leaves the machine', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    databaseUrl: undefined,
    role: 'all',
    smtpUrl: undefined,
    providers: {},
    ssrfAllowedHosts: [],
  });
});

test('an invalid value is named', () => {
  expect(() => readConfig({ PORT: 'many' })).toThrow(ConfigError);
  expect(() => readConfig({ PORT: 'many', PUBLIC_URL: 'nowhere' })).toThrow(
    /PORT: Must be a whole number from 0 to 65535\.\nPUBLIC_URL: Must be an address like/,
  );
  expect(() => readConfig({ DATABASE_URL: 'db.internal', SMTP_URL: 'mail.internal:587' })).toThrow(
    /DATABASE_URL: Must be postgres:.*\nSMTP_URL: Must be smtp:/,
  );
});

test('a password that is not encoded is refused before anything connects, with how to write it', () => {
  const refused = /^.*\n *(DATABASE_URL|DATABASE_REPLICA_URL|REDIS_URL|SMTP_URL): Must be .*: %23/;
  const withPassword = (password: string) => [
    { DATABASE_URL: `postgres://parley:${password}@db.internal:5432/parley` },
    {
      DATABASE_URL: 'postgres://db.internal/parley',
      DATABASE_REPLICA_URL: `postgres://parley:${password}@db.internal/parley`,
    },
    { REDIS_URL: `redis://:${password}@redis.internal:6379` },
    { SMTP_URL: `smtp://parley:${password}@mail.internal:587` },
  ];
  for (const environment of withPassword('p#w')) expect(() => readConfig(environment)).toThrow(refused);
  for (const environment of withPassword('p%23w')) expect(() => readConfig(environment)).not.toThrow();
  for (const DATABASE_URL of [
    'postgres://parley:p@/parley?host=/run/postgresql',
    'socket:/run/postgresql?db=parley',
  ])
    expect(readConfig({ DATABASE_URL })).toMatchObject({ databaseUrl: DATABASE_URL });
});

test('a setting that would have no effect is refused, with the intended form', () => {
  const told: [Record<string, string>, string][] = [
    [{ PUBLIC_URL: 'ftp://x.example' }, 'PUBLIC_URL: Must be an address like https://chat.example.com.'],
    [
      { PUBLIC_URL: 'https://x.example/chat' },
      'PUBLIC_URL: Must be an address like https://chat.example.com, without',
    ],
    [
      { PUBLIC_URL: 'https://x.example?a' },
      'PUBLIC_URL: Must be an address like https://chat.example.com, without',
    ],
    [{ REDIS_URL: 'redis.internal' }, 'REDIS_URL: Must be redis://'],
    [{ OPENAI_BASE_URL: 'api.example' }, 'OPENAI_BASE_URL: Must be an address like https://'],
    [
      { SSRF_ALLOWED_HOSTS: 'a.internal:80, http://10.0.0.1' },
      'http://10.0.0.1 is not of the form host:port.',
    ],
    [{ SSRF_ALLOWED_HOSTS: 'a.internal:99999' }, 'a.internal:99999 is not of the form host:port.'],
    [{ TRUSTED_PROXIES: '10.0.0.0/8, proxy.internal' }, 'proxy.internal is not an address, a range'],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, '10.0.0.0/33 is not an address'],
    [{ DRAIN_SECONDS: 'some' }, 'DRAIN_SECONDS: Must be a number from 0 to 3600.'],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN: Must have at least 16 characters'],
    [{ DEFAULT_MODEL: 'gpt-5' }, 'DEFAULT_MODEL: write provider/model'],
    [{ DEFAULT_MODEL: 'openai/gpt-5' }, 'openai/gpt-5 is of a provider that is not configured.'],
    [{ ROLE: 'wrker' }, 'ROLE: Must be one of all, web, worker.'],
    [{ STRIPE_LOCAL_PORT: 'any' }, 'STRIPE_LOCAL_PORT: Must be a whole number from 0 to 65535.'],
    [{ SMTP_URL: 'smtp://' }, 'SMTP_URL: Must be smtp://'],
    [{ MAIL_FROM: 'Parley' }, 'MAIL_FROM: Must be an address, or a name with one'],
    [{ MAIL_FROM: 'Parley <care>' }, 'MAIL_FROM: Must be an address, or a name with one'],
    [{ MAIL_FROM: 'a@b.example, c@d.example' }, 'MAIL_FROM: Must be an address, or a name with one'],
    [{ COMPATIBLE_MODEL: 'llama' }, 'COMPATIBLE_BASE_URL: set it to the address of the server'],
    [{ COMPATIBLE_BASE_URL: 'http://localhost:1/v1' }, 'COMPATIBLE_MODEL: set it to the name of a model'],
    [{ OPENAI_API_KEY: 'sk-…abcd' }, 'OPENAI_API_KEY: Must not contain spaces or special characters.'],
    [{ COMPATIBLE_API_KEY: 'two words' }, 'COMPATIBLE_API_KEY: Must not contain spaces'],
    [{ STRIPE_SECRET_KEY: 'sk_test_…abcd' }, 'STRIPE_SECRET_KEY: Must not contain spaces'],
    [
      { GOOGLE_CLIENT_ID: 'a', GOOGLE_CLIENT_SECRET: 'b', GOOGLE_ISSUER: 'http://id.example' },
      'GOOGLE_ISSUER: only https, except on this machine.',
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_EXPORTER_OTLP_HEADERS: 'Bearer abc' },
      'OTEL_EXPORTER_OTLP_HEADERS: Must be name=value',
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_EXPORTER_OTLP_HEADERS: 'a b=c' },
      'OTEL_EXPORTER_OTLP_HEADERS: Must be name=value',
    ],
    [{ STORAGE_URL: 's3://' }, 'STORAGE_URL cannot be used: it names no bucket'],
    [{ PLANS: 'free' }, 'PLANS: Must be JSON like {"FREE_PLAN":'],
    [{ PLANS: '{"FREE_PLAN":{"credits":5}}' }, 'PLANS: FREE_PLAN: Unrecognized key: "credits"'],
    [{ PLANS: '{"PRO":{"creditsAMonth":"5"}}' }, 'PLANS: PRO.creditsAMonth: Invalid input: expected number'],
    [{ MODEL_PRICES: '[]' }, 'MODEL_PRICES: Must be JSON like {"openai/gpt-5-mini":'],
    [{ MODEL_PRICES: '{"openai/a":{"input":1}}' }, 'MODEL_PRICES: openai/a.output: Must be an amount'],
    [{ MODEL_PRICES: '{"a":{"input":1,"output":2}}' }, 'MODEL_PRICES: a: Must be provider/model'],
  ];
  for (const [given, words] of told) expect(() => readConfig(given)).toThrow(words);
  expect(
    readConfig({
      SSRF_ALLOWED_HOSTS: '127.0.0.1:1, [::1]:80,site.internal:8080',
      TRUSTED_PROXIES: 'loopback,10.0.0.0/8, ::1',
      DEFAULT_MODEL: 'parley/extractive',
      MAIL_FROM: 'care@shop.example',
      MODEL_PRICES: '{"compatible/BAAI/x":{"input":1,"output":"2.5"}}',
    }),
  ).toMatchObject({
    ssrfAllowedHosts: ['127.0.0.1:1', '[::1]:80', 'site.internal:8080'],
    trustedProxies: ['loopback', '10.0.0.0/8', '::1'],
    defaultModel: 'parley/extractive',
    mailFrom: 'care@shop.example',
    modelPrices: { 'compatible/BAAI/x': { input: '1', cachedInput: null, output: '2.5' } },
  });
});

test('the public address is kept as browsers write it, for what compares it with theirs', () => {
  expect(readConfig({ PUBLIC_URL: 'HTTPS://Chat.Example.com:443/' }).publicUrl).toBe(
    'https://chat.example.com',
  );
  expect(readConfig({ PUBLIC_URL: 'http://büro.example:3000' }).publicUrl).toBe(
    'http://xn--bro-hoa.example:3000',
  );
});

test('an empty variable counts as unset', () => {
  expect(readConfig({ PORT: '', OPENAI_API_KEY: '' })).toMatchObject({ port: 3000, providers: {} });
});

test('line ends and blanks around a value do not count, except in a secret key, which must stay the same', () => {
  const key = `${'k'.repeat(32)}\n`;
  expect(
    readConfig({
      METRICS_TOKEN: '0123456789abcdef\n',
      BILLING_MODE: 'off\r',
      HOST: ' 0.0.0.0',
      PORT: ' ',
      SECRET_KEY: key,
    }),
  ).toMatchObject({
    operations: { metricsToken: '0123456789abcdef' },
    billing: { mode: 'off' },
    host: '0.0.0.0',
    port: 3000,
    secretKey: key,
  });
});

test('a provider is configured by its key, a compatible server by its address and model', () => {
  expect(
    readConfig({ OPENAI_API_KEY: 'sk', OPENAI_BASE_URL: 'http://localhost:1/v1', OPENAI_MODEL: 'm' })
      .providers,
  ).toEqual({
    openai: { apiKey: 'sk', baseUrl: 'http://localhost:1/v1', model: 'm' },
  });
  expect(
    readConfig({ COMPATIBLE_BASE_URL: 'http://localhost:11434/v1', COMPATIBLE_MODEL: 'llama' }).providers,
  ).toEqual({
    compatible: { apiKey: undefined, baseUrl: 'http://localhost:11434/v1', model: 'llama' },
  });
});

test('Google is offered when both its id and its secret are set; one alone is an error', () => {
  expect(readConfig({}).google).toBeUndefined();
  expect(readConfig({ GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }).google).toEqual({
    clientId: 'id',
    clientSecret: 'secret',
    issuer: 'https://accounts.google.com',
  });
  expect(() => readConfig({ GOOGLE_CLIENT_ID: 'id' })).toThrow('GOOGLE_CLIENT_SECRET');
});

test('an embedding model is named with its provider and uses that provider’s access', () => {
  expect(readConfig({}).embedding).toBeUndefined();
  expect(
    readConfig({
      EMBEDDING_MODEL: 'openai/text-embedding-3-small',
      OPENAI_API_KEY: 'sk',
      EMBEDDING_WEIGHT: '0.4',
    }).embedding,
  ).toMatchObject({ provider: 'openai', model: 'text-embedding-3-small', apiKey: 'sk', weight: 0.4 });
  expect(
    readConfig({
      EMBEDDING_MODEL: 'compatible/BAAI/bge-m3',
      COMPATIBLE_BASE_URL: 'http://localhost:1/v1',
      EMBEDDING_DIMENSIONS: '256',
    }).embedding,
  ).toMatchObject({ model: 'BAAI/bge-m3', baseUrl: 'http://localhost:1/v1', dimensions: 256 });
  expect(readConfig({ EMBEDDING_MODEL: 'local:/models/bge' }).embedding).toMatchObject({
    provider: 'local',
    model: '/models/bge',
  });
});

test.each([
  [{ EMBEDDING_MODEL: 'text-embedding-3-small' }, /write openai\/<model>/],
  [{ EMBEDDING_MODEL: 'anthropic/claude', ANTHROPIC_API_KEY: 'sk' }, /write openai\/<model>/],
  [{ EMBEDDING_MODEL: 'openai/' }, /write openai\/<model>/],
  [{ EMBEDDING_MODEL: 'openai/text-embedding-3-small' }, /needs OPENAI_API_KEY/],
  [{ EMBEDDING_MODEL: 'compatible/bge' }, /needs COMPATIBLE_BASE_URL/],
  [{ EMBEDDING_WEIGHT: '2' }, /EMBEDDING_WEIGHT/],
  [{ EMBEDDING_DIMENSIONS: '0' }, /EMBEDDING_DIMENSIONS/],
])('the error for %o says what is wrong', (environment, words) => {
  expect(() => readConfig(environment)).toThrow(words);
});

test('X is offered when both its id and its secret are set, at addresses that can be overridden', () => {
  expect(readConfig({}).x).toBeUndefined();
  const set = { X_CLIENT_ID: 'id', X_CLIENT_SECRET: 'secret' };
  expect(readConfig({ ...set, X_API_URL: 'http://localhost:1/' }).x).toEqual({
    clientId: 'id',
    clientSecret: 'secret',
    authorizationUrl: 'https://x.com/i/oauth2/authorize',
    tokenUrl: 'https://api.x.com/2/oauth2/token',
    apiUrl: 'http://localhost:1',
  });
  expect(() => readConfig({ X_CLIENT_SECRET: 'secret' })).toThrow('X_CLIENT_ID');
});

test('guests get five conversations an hour per address unless configured otherwise', () => {
  expect(readConfig({}).guestConversationsPerHour).toBe(5);
  expect(readConfig({ GUEST_CONVERSATIONS_PER_HOUR: '50' }).guestConversationsPerHour).toBe(50);
  expect(() => readConfig({ GUEST_CONVERSATIONS_PER_HOUR: '0' })).toThrow('GUEST_CONVERSATIONS_PER_HOUR');
});

test('voice models are named with their provider and use its key', () => {
  const { transcription, speech } = readConfig({
    OPENAI_API_KEY: 'sk',
    COMPATIBLE_BASE_URL: 'http://localhost:1/v1',
    TRANSCRIPTION_MODEL: 'compatible/whisper',
    SPEECH_MODEL: 'openai/tts-1',
  });
  expect(transcription).toEqual({ model: 'whisper', apiKey: undefined, baseUrl: 'http://localhost:1/v1' });
  expect(speech).toEqual({ model: 'tts-1', apiKey: 'sk', baseUrl: undefined, voice: 'alloy' });
});

test('a live key goes to Stripe alone, and never without the webhook secret', () => {
  const live = { STRIPE_SECRET_KEY: 'sk_live_x', STRIPE_WEBHOOK_SECRET: 'whsec_a, whsec_b' };
  expect(readConfig({}).payments).toMatchObject({ secretKey: undefined, webhookSecrets: [], localPort: 0 });
  expect(readConfig(live).payments).toMatchObject({
    webhookSecrets: ['whsec_a', 'whsec_b'],
    apiUrl: undefined,
  });
  const local = { STRIPE_API_URL: 'http://127.0.0.1:4242' };
  expect(() => readConfig({ ...live, ...local })).toThrow(ConfigError);
  expect(() => readConfig({ ...live, ...local, STRIPE_SECRET_KEY: 'rk_live_x' })).toThrow(/STRIPE_API_URL/);
  expect(() => readConfig(local)).toThrow(/STRIPE_API_URL/);
  expect(readConfig({ ...live, ...local, STRIPE_SECRET_KEY: 'sk_test_x' }).payments.apiUrl).toBe(
    local.STRIPE_API_URL,
  );
  expect(() =>
    readConfig({ ...live, STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_API_URL: 'http://pay.example' }),
  ).toThrow(/https/);
  expect(() => readConfig({ ...live, STRIPE_WEBHOOK_SECRET: '' })).toThrow(/set both/);
  expect(() => readConfig({ ...live, STRIPE_SECRET_KEY: 'pk_test_x' })).toThrow(/sk_test_/);
});
