import path from 'node:path';
import * as z from 'zod';
import {
  CRAWL_REQUESTS_PER_SECOND_AND_HOST,
  GUEST_CONVERSATIONS_PER_HOUR_AND_ADDRESS,
  INBOX_RELAY_AFTER_SECONDS,
  PROVIDER_FAILURES_MAX,
  PROVIDER_REST_SECONDS,
  PROVIDER_SILENCE_MAX_SECONDS,
} from '../contract/limits.ts';
import { DATABASE_TIMEOUT_SECONDS } from './db/timeouts.ts';
import type { Plan, PlanType } from '../contract/plans.ts';
import { ConfigError } from './config-error.ts';
import { paymentsOf, type PaymentsConfig } from './config-payments.ts';
import type { Prices } from './llm/price.ts';
import {
  defaultModelOf,
  hostPorts,
  number,
  proxies,
  secretText,
  webAddress,
  whole,
} from './config-values.ts';
import { operationsEnvironment, operationsOf, type OperationsConfig } from './config-operations.ts';
import { readPlans } from './read-plans.ts';
import { readPrices } from './read-prices.ts';

export { ConfigError } from './config-error.ts';

/** See docs/decisions/0013-vectors.md for where these two come from. */
const EMBEDDING_WEIGHT = 0.2;
const EMBEDDING_SUPPORT = 0.85;

const databaseUrl = /^(postgres|postgresql|socket):/;
const databaseUrlWords = 'Must be postgres://user:password@host:5432/database.';

/**
 * The configuration of one process, read once from the environment. This is the only reader of `process.env`; a wrong
 * value ends the start with a message that names the variable.
 */
const Environment = z.object({
  ...operationsEnvironment,
  HOST: z.string().default('127.0.0.1'),
  PORT: whole(0, 65_535).default(3000),
  PUBLIC_URL: webAddress('https://chat.example.com').optional(),
  DATA_DIR: z.string().default('data'),
  DATABASE_URL: z.string().regex(databaseUrl, databaseUrlWords).optional(),
  DATABASE_REPLICA_URL: z.string().regex(databaseUrl, databaseUrlWords).optional(),
  STORAGE_URL: z.string().optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'Must be redis://… or rediss://….' }).optional(),
  DATABASE_POOL_SIZE: whole(2, 200).default(16),
  DATABASE_TIMEOUT_SECONDS: whole(3, 600).default(DATABASE_TIMEOUT_SECONDS),
  ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  SECRET_KEY: secretText(32).optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'Must be smtp://… or smtps://….')
    .optional(),
  MAIL_FROM: z.string().default('Parley <parley@localhost>'),
  TRUSTED_PROXIES: proxies(),
  SSRF_ALLOWED_HOSTS: hostPorts(),
  CRAWL_REQUESTS_PER_SECOND: number(0.001, 1000).default(CRAWL_REQUESTS_PER_SECOND_AND_HOST),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  SEED_DEMO: z.enum(['on', 'off']).default('on'),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_ISSUER: webAddress().default('https://accounts.google.com'),
  GUEST_CONVERSATIONS_PER_HOUR: whole(1, 100_000).default(GUEST_CONVERSATIONS_PER_HOUR_AND_ADDRESS),
  X_CLIENT_ID: z.string().optional(),
  X_CLIENT_SECRET: z.string().optional(),
  X_AUTHORIZATION_URL: webAddress().default('https://x.com/i/oauth2/authorize'),
  X_TOKEN_URL: webAddress().default('https://api.x.com/2/oauth2/token'),
  X_API_URL: webAddress().default('https://api.x.com'),
  DISCORD_API_URL: webAddress().default('https://discord.com/api/v10'),
  SLACK_API_URL: webAddress().default('https://slack.com/api'),
  TELEGRAM_API_URL: webAddress().default('https://api.telegram.org'),
  WHATSAPP_API_URL: webAddress().default('https://graph.facebook.com/v25.0'),
  INBOX_RELAY_AFTER_SECONDS: whole(1, 86_400).default(INBOX_RELAY_AFTER_SECONDS),
  UPGRADE_BACKUP: z.enum(['on', 'off']).default('on'),
  BILLING_MODE: z.enum(['on', 'off']).default('on'),
  PLANS: z.string().default('{}'),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_URL: webAddress().optional(),
  STRIPE_LOCAL_PORT: whole(0, 65_535).default(0),
  APPLICATION_FEE_PERCENT: number(0, 100).default(0),
  MODEL_PRICES: z.string().default('{}'),
  DEFAULT_MODEL: z.string().optional(),
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: webAddress().optional(),
  OPENAI_MODEL: z.string().default('gpt-5-mini'),
  ANTHROPIC_API_KEY: z.string().optional(),
  ANTHROPIC_BASE_URL: webAddress().optional(),
  ANTHROPIC_MODEL: z.string().default('claude-sonnet-5'),
  GOOGLE_API_KEY: z.string().optional(),
  GOOGLE_BASE_URL: webAddress().optional(),
  GOOGLE_MODEL: z.string().default('gemini-3-flash'),
  COMPATIBLE_BASE_URL: webAddress().optional(),
  COMPATIBLE_API_KEY: z.string().optional(),
  COMPATIBLE_MODEL: z.string().optional(),
  PROVIDER_FAILURES_MAX: whole(1, 1000).default(PROVIDER_FAILURES_MAX),
  PROVIDER_REST_SECONDS: number(1, 3600).default(PROVIDER_REST_SECONDS),
  PROVIDER_SILENCE_MAX_SECONDS: number(1, 300).default(PROVIDER_SILENCE_MAX_SECONDS),
  TRANSCRIPTION_MODEL: z.string().optional(),
  SPEECH_MODEL: z.string().optional(),
  SPEECH_VOICE: z.string().default('alloy'),
  EMBEDDING_MODEL: z.string().optional(),
  EMBEDDING_DIMENSIONS: whole(8, 4096).optional(),
  EMBEDDING_WEIGHT: number(0, 1).default(EMBEDDING_WEIGHT),
  EMBEDDING_SUPPORT: number(0, 1).default(EMBEDDING_SUPPORT),
});

export interface ProviderConfig {
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
  /** Several are separated by commas; the first is the one that answers unless an agent says so. */
  model: string;
}

export type ProviderName = 'openai' | 'anthropic' | 'google' | 'compatible';

export interface EmbeddingConfig {
  provider: 'openai' | 'google' | 'compatible' | 'local';
  /** Of `local`: the absolute path of its folder. */
  model: string;
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
  /** Undefined: as many as the model gives. */
  dimensions: number | undefined;
  /** Of the vectors beside the words, 0 to 1. */
  weight: number;
  /** The cosine similarity from which a passage supports a question whose words it does not hold. */
  support: number;
}

/** A model at a provider that speaks OpenAI's audio endpoints. */
export interface VoiceModelConfig {
  model: string;
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
}

export interface Config {
  host: string;
  port: number;
  /** Origin under which people reach this installation, no trailing slash; links in mails are made from it alone. */
  publicUrl: string | undefined;
  /** Absolute path of the folder that holds everything this installation keeps on disk. */
  dataDir: string;
  /** Undefined: the embedded PostgreSQL under `dataDir`. */
  databaseUrl: string | undefined;
  /** A replica of that database, for what only reads much. */
  databaseReplicaUrl: string | undefined;
  databasePoolSize: number;
  /** How long one statement of somebody who waits may take. */
  databaseTimeoutSeconds: number;
  /** A folder, or `s3://bucket/prefix?region=&endpoint=&forcePathStyle=`; undefined: the folder `files` in `dataDir`. */
  storageUrl: string | undefined;
  /** By which processes tell each other what browsers are to hear; undefined: by the database. */
  redisUrl: string | undefined;
  role: 'all' | 'web' | 'worker';
  secretKey: string | undefined;
  operations: OperationsConfig;
  smtpUrl: string | undefined;
  mailFrom: string;
  trustedProxies: string[];
  /** `host:port` pairs that outgoing requests may reach although they are private addresses. */
  ssrfAllowedHosts: string[];
  /** Of one website; more is for operators who read their own. A site's own wish for less (Crawl-delay) counts as well. */
  crawlRequestsPerSecond: number;
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent';
  seedDemo: boolean;
  /** Signing in with Google, or with another OpenID Connect provider in its place; undefined: not offered. */
  google: { clientId: string; clientSecret: string; issuer: string } | undefined;
  /** Whether a backup is made before an upgrade changes tables. */
  upgradeBackup: boolean;
  /** Conversations that people nobody knows may begin from one address. */
  guestConversationsPerHour: number;
  /** After so long what a member wrote goes by mail to an end user who has not read it. */
  inboxRelayAfterSeconds: number;
  /** The application at X by which plugins get their accounts; undefined: not offered. */
  x:
    | { clientId: string; clientSecret: string; authorizationUrl: string; tokenUrl: string; apiUrl: string }
    | undefined;
  /** Where the services of channels are asked; others than their own are for tests and for operators who run one. */
  channelUrls: { discord: string; slack: string; telegram: string; whatsapp: string };
  /** With `off` no plan limits anything. */
  billing: { mode: 'on' | 'off'; plans: Readonly<Record<PlanType, Plan>> };
  payments: PaymentsConfig;
  /** `provider/model`, or undefined: the first configured provider, else the built-in extractive model. */
  defaultModel: string | undefined;
  providers: Partial<Record<ProviderName, ProviderConfig>>;
  /** Of the installation's models, by `provider/model`. */
  modelPrices: Prices;
  /** After so many failures in a row an account at a provider is left alone for `providerRestSeconds`. */
  providerFailuresMax: number;
  providerRestSeconds: number;
  /** What an agent allows its model at most to say nothing, whatever its settings say. */
  providerSilenceMaxSeconds: number;
  /** What writes down speech; undefined: nothing does. */
  transcription: VoiceModelConfig | undefined;
  /** What reads answers aloud; undefined: the browser does. */
  speech: (VoiceModelConfig & { voice: string }) | undefined;
  /** The model that passages and questions are compared by beside their words; undefined: by words alone. */
  embedding: EmbeddingConfig | undefined;
}

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`The configuration is not valid.\n${lines.join('\n')}`);
  }
  const env = parsed.data;
  const providers = providersOf(env);
  return {
    host: env.HOST,
    port: env.PORT,
    publicUrl: env.PUBLIC_URL && withoutSlash(env.PUBLIC_URL),
    dataDir: path.resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    databaseReplicaUrl: replicaOf(env),
    databaseTimeoutSeconds: env.DATABASE_TIMEOUT_SECONDS,
    storageUrl: env.STORAGE_URL,
    redisUrl: env.REDIS_URL,
    role: env.ROLE,
    secretKey: env.SECRET_KEY,
    operations: operationsOf(env),
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    trustedProxies: env.TRUSTED_PROXIES,
    ssrfAllowedHosts: env.SSRF_ALLOWED_HOSTS,
    crawlRequestsPerSecond: env.CRAWL_REQUESTS_PER_SECOND,
    logLevel: env.LOG_LEVEL,
    seedDemo: env.SEED_DEMO === 'on',
    google: googleOf(env),
    upgradeBackup: env.UPGRADE_BACKUP === 'on',
    guestConversationsPerHour: env.GUEST_CONVERSATIONS_PER_HOUR,
    inboxRelayAfterSeconds: env.INBOX_RELAY_AFTER_SECONDS,
    x: xOf(env),
    channelUrls: channelUrlsOf(env),
    billing: { mode: env.BILLING_MODE, plans: readPlans(env.PLANS) },
    payments: paymentsOf(env, list(env.STRIPE_WEBHOOK_SECRET ?? '')),
    defaultModel: defaultModelOf(env.DEFAULT_MODEL, providers),
    providers,
    modelPrices: readPrices(env.MODEL_PRICES),
    providerFailuresMax: env.PROVIDER_FAILURES_MAX,
    providerRestSeconds: env.PROVIDER_REST_SECONDS,
    providerSilenceMaxSeconds: env.PROVIDER_SILENCE_MAX_SECONDS,
    transcription: voiceModelOf('TRANSCRIPTION_MODEL', env),
    speech: speechOf(env),
    embedding: embeddingOf(env),
  };
}

function channelUrlsOf(env: z.infer<typeof Environment>): Config['channelUrls'] {
  return {
    discord: withoutSlash(env.DISCORD_API_URL),
    slack: withoutSlash(env.SLACK_API_URL),
    telegram: withoutSlash(env.TELEGRAM_API_URL),
    whatsapp: withoutSlash(env.WHATSAPP_API_URL),
  };
}

function withoutSlash(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '');
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

function googleOf(env: z.infer<typeof Environment>): Config['google'] {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_ISSUER: issuer } = env;
  if (!clientId && !clientSecret) return undefined;
  if (!clientId || !clientSecret) {
    throw new ConfigError(
      'The configuration is not valid.\nGOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET: set both, or neither.',
    );
  }
  return { clientId, clientSecret, issuer };
}

function xOf(env: z.infer<typeof Environment>): Config['x'] {
  const { X_CLIENT_ID: clientId, X_CLIENT_SECRET: clientSecret } = env;
  if (!clientId && !clientSecret) return undefined;
  if (!clientId || !clientSecret) {
    throw new ConfigError(
      'The configuration is not valid.\nX_CLIENT_ID and X_CLIENT_SECRET: set both, or neither.',
    );
  }
  return {
    clientId,
    clientSecret,
    authorizationUrl: env.X_AUTHORIZATION_URL,
    tokenUrl: env.X_TOKEN_URL,
    apiUrl: withoutSlash(env.X_API_URL),
  };
}

/** A provider counts as configured when it has a key, or, for compatible servers that need none, an address. */
function providersOf(env: z.infer<typeof Environment>): Config['providers'] {
  const providers: Config['providers'] = {};
  if (env.OPENAI_API_KEY) {
    providers.openai = { apiKey: env.OPENAI_API_KEY, baseUrl: env.OPENAI_BASE_URL, model: env.OPENAI_MODEL };
  }
  if (env.ANTHROPIC_API_KEY) {
    providers.anthropic = {
      apiKey: env.ANTHROPIC_API_KEY,
      baseUrl: env.ANTHROPIC_BASE_URL,
      model: env.ANTHROPIC_MODEL,
    };
  }
  if (env.GOOGLE_API_KEY) {
    providers.google = { apiKey: env.GOOGLE_API_KEY, baseUrl: env.GOOGLE_BASE_URL, model: env.GOOGLE_MODEL };
  }
  if (env.COMPATIBLE_BASE_URL && env.COMPATIBLE_MODEL) {
    const { COMPATIBLE_API_KEY: apiKey, COMPATIBLE_BASE_URL: baseUrl, COMPATIBLE_MODEL: model } = env;
    providers.compatible = { apiKey, baseUrl, model };
  }
  return providers;
}

function embeddingOf(env: z.infer<typeof Environment>): Config['embedding'] {
  const name = env.EMBEDDING_MODEL;
  if (name === undefined) return undefined;
  const { EMBEDDING_DIMENSIONS: dimensions, EMBEDDING_WEIGHT: weight, EMBEDDING_SUPPORT: support } = env;
  const settings = { dimensions, weight, support };
  const [, folder] = /^local:(.+)$/.exec(name) ?? [];
  if (folder) return { provider: 'local', model: path.resolve(folder), ...settings };
  const [, prefix, model] = /^(openai|google|compatible)\/(.+)$/.exec(name) ?? [];
  if (!prefix || !model) {
    throw new ConfigError(
      'The configuration is not valid.\nEMBEDDING_MODEL: write openai/<model>, google/<model>, compatible/<model> or local:<folder>.',
    );
  }
  const provider = prefix as 'openai' | 'google' | 'compatible';
  const { needs, isThere, ...access } = accessOf(provider, env);
  if (!isThere)
    throw new ConfigError(`The configuration is not valid.\nEMBEDDING_MODEL: ${name} needs ${needs}.`);
  return { provider, model, ...access, ...settings };
}

function voiceModelOf(
  variable: 'TRANSCRIPTION_MODEL' | 'SPEECH_MODEL',
  env: z.infer<typeof Environment>,
): VoiceModelConfig | undefined {
  const name = env[variable];
  if (name === undefined) return undefined;
  const [, provider, model] = /^(openai|compatible)\/(.+)$/.exec(name) ?? [];
  if (!provider || !model) {
    throw new ConfigError(
      `The configuration is not valid.\n${variable}: write openai/<model> or compatible/<model>.`,
    );
  }
  const { needs, isThere, ...access } = accessOf(provider as 'openai' | 'compatible', env);
  if (!isThere)
    throw new ConfigError(`The configuration is not valid.\n${variable}: ${name} needs ${needs}.`);
  return { model, ...access };
}

function speechOf(env: z.infer<typeof Environment>): Config['speech'] {
  const model = voiceModelOf('SPEECH_MODEL', env);
  return model && { ...model, voice: env.SPEECH_VOICE };
}

/** Less than answering needs: a compatible server may do nothing but embed. */
function accessOf(provider: 'openai' | 'google' | 'compatible', env: z.infer<typeof Environment>) {
  const isThere = (value: string | undefined): boolean => value !== undefined;
  switch (provider) {
    case 'openai': {
      const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl } = env;
      return { apiKey, baseUrl, needs: 'OPENAI_API_KEY', isThere: isThere(apiKey) };
    }
    case 'google': {
      const { GOOGLE_API_KEY: apiKey, GOOGLE_BASE_URL: baseUrl } = env;
      return { apiKey, baseUrl, needs: 'GOOGLE_API_KEY', isThere: isThere(apiKey) };
    }
    case 'compatible': {
      const { COMPATIBLE_API_KEY: apiKey, COMPATIBLE_BASE_URL: baseUrl } = env;
      return { apiKey, baseUrl, needs: 'COMPATIBLE_BASE_URL', isThere: isThere(baseUrl) };
    }
  }
}

function replicaOf({ DATABASE_URL, DATABASE_REPLICA_URL }: z.infer<typeof Environment>): string | undefined {
  if (DATABASE_REPLICA_URL === undefined || DATABASE_URL !== undefined) return DATABASE_REPLICA_URL;
  throw new ConfigError(
    'The configuration is not valid.\nDATABASE_REPLICA_URL: the embedded database has no replica.',
  );
}
