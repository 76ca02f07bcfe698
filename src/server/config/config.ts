import path from 'node:path';
import * as z from 'zod';
import {
  CRAWL_REQUESTS_PER_SECOND_AND_HOST,
  GUEST_CONVERSATIONS_PER_HOUR_AND_ADDRESS,
  INBOX_RELAY_AFTER_SECONDS,
} from '../../contract/limits.ts';
import { DATABASE_TIMEOUT_SECONDS } from '../db/timeouts.ts';
import type { Plan, PlanType } from '../../contract/plans.ts';
import { isLoopback } from '../egress/operator-fetch.ts';
import { notValid } from './error.ts';
import { modelsEnvironment, modelsOf, type ModelsConfig } from './models.ts';
import { paymentsOf, type PaymentsConfig } from './payments.ts';
import {
  database,
  hostPorts,
  mailServer,
  number,
  oneOf,
  origin,
  proxies,
  redisServer,
  secretText,
  sender,
  serviceKey,
  webAddress,
  whole,
} from './values.ts';
import { operationsEnvironment, operationsOf, type OperationsConfig } from './operations.ts';
import { readPlans } from './plans.ts';
import { storageAddress } from '../storage/address.ts';

export { ConfigError } from './error.ts';

/**
 * A process's configuration, read once from the environment. Nothing else reads `process.env`; an invalid value aborts
 * the start with a message that names the variable.
 */
const Environment = z.object({
  ...operationsEnvironment,
  ...modelsEnvironment,
  HOST: z.string().default('127.0.0.1'),
  PORT: whole(0, 65_535).default(3000),
  PUBLIC_URL: origin('https://chat.example.com').optional(),
  DATA_DIR: z.string().default('data'),
  DATABASE_URL: database().optional(),
  DATABASE_REPLICA_URL: database().optional(),
  STORAGE_URL: z.string().optional(),
  REDIS_URL: redisServer().optional(),
  DATABASE_POOL_SIZE: whole(2, 200).default(16),
  DATABASE_TIMEOUT_SECONDS: whole(3, 600).default(DATABASE_TIMEOUT_SECONDS),
  ROLE: oneOf('all', 'web', 'worker').default('all'),
  SECRET_KEY: secretText(32).optional(),
  SMTP_URL: mailServer().optional(),
  MAIL_FROM: sender().default('Parley <parley@localhost>'),
  TRUSTED_PROXIES: proxies(),
  SSRF_ALLOWED_HOSTS: hostPorts(),
  CRAWL_REQUESTS_PER_SECOND: number(0.001, 1000).default(CRAWL_REQUESTS_PER_SECOND_AND_HOST),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent').default('info'),
  SEED_DEMO: oneOf('on', 'off').default('on'),
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
  UPGRADE_BACKUP: oneOf('on', 'off').default('on'),
  BILLING_MODE: oneOf('on', 'off').default('on'),
  PLANS: z.string().default('{}'),
  STRIPE_SECRET_KEY: serviceKey().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_URL: webAddress().optional(),
  STRIPE_LOCAL_PORT: whole(0, 65_535).default(0),
  APPLICATION_FEE_PERCENT: number(0, 100).default(0),
});

export interface Config extends ModelsConfig {
  host: string;
  port: number;
  /** Origin under which people reach this installation, without a trailing slash; links in mails are built from it alone. */
  publicUrl: string | undefined;
  /** Absolute path of the folder that holds everything this installation stores on disk. */
  dataDir: string;
  /** Undefined: the embedded PostgreSQL under `dataDir`. */
  databaseUrl: string | undefined;
  /** A replica of that database, for read-heavy work. */
  databaseReplicaUrl: string | undefined;
  databasePoolSize: number;
  /** Statement timeout for interactive requests. */
  databaseTimeoutSeconds: number;
  /** A folder, or `s3://bucket/prefix?region=&endpoint=&forcePathStyle=`; undefined: the folder `files` in `dataDir`. */
  storageUrl: string | undefined;
  /** How processes exchange events for browsers; undefined: through the database. */
  redisUrl: string | undefined;
  role: 'all' | 'web' | 'worker';
  secretKey: string | undefined;
  operations: OperationsConfig;
  smtpUrl: string | undefined;
  mailFrom: string;
  trustedProxies: string[];
  /** `host:port` pairs that outgoing requests may reach even though they are private addresses. */
  ssrfAllowedHosts: string[];
  /**
   * Per website; higher values are for operators who read their own. A site's request for a lower rate (Crawl-delay)
   * also applies.
   */
  crawlRequestsPerSecond: number;
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent';
  seedDemo: boolean;
  /** Signing in with Google, or with another OpenID Connect provider instead; undefined: not offered. */
  google: { clientId: string; clientSecret: string; issuer: string } | undefined;
  /** Whether to make a backup before an upgrade changes tables. */
  upgradeBackup: boolean;
  /** Conversations that anonymous people may start from one address. */
  guestConversationsPerHour: number;
  /** After this long, a member's message is emailed to an end user who hasn't read it. */
  inboxRelayAfterSeconds: number;
  /** The X application that plugins get their accounts through; undefined: not offered. */
  x:
    | { clientId: string; clientSecret: string; authorizationUrl: string; tokenUrl: string; apiUrl: string }
    | undefined;
  /** The channel services' API addresses; anything but their own is for tests and for operators who run one. */
  channelUrls: { discord: string; slack: string; telegram: string; whatsapp: string };
  /** With `off`, no plan limits anything. */
  billing: { mode: 'on' | 'off'; plans: Readonly<Record<PlanType, Plan>> };
  payments: PaymentsConfig;
}

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const parsed = Environment.safeParse(givenIn(environment));
  if (!parsed.success) {
    const { issues } = parsed.error;
    throw notValid(...issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  }
  const env = parsed.data;
  const dataDir = path.resolve(env.DATA_DIR);
  // An unusable address aborts the start before anything is opened.
  storageAddress(env.STORAGE_URL, dataDir);
  return {
    host: env.HOST,
    port: env.PORT,
    publicUrl: env.PUBLIC_URL,
    dataDir,
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
    ...modelsOf(env),
    payments: paymentsOf(env, list(env.STRIPE_WEBHOOK_SECRET ?? '')),
  };
}

/** A secret key is taken as it is: what a different one has sealed could no longer be read. */
const exact = new Set(['SECRET_KEY', 'SECRET_KEY_PREVIOUS']);

/** Without the line ends that files of secrets and settings leave at a value, where nobody sees them. */
function givenIn(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const values = Object.entries(environment).map(
    ([name, value]) => [name, exact.has(name) ? value : value?.trim()] as const,
  );
  return Object.fromEntries(values.filter(([, value]) => value !== ''));
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
    throw notValid('GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET: set both, or neither.');
  }
  if (!issuer.startsWith('https:') && !isLoopback(issuer))
    throw notValid('GOOGLE_ISSUER: only https, except on this machine.');
  return { clientId, clientSecret, issuer };
}

function xOf(env: z.infer<typeof Environment>): Config['x'] {
  const { X_CLIENT_ID: clientId, X_CLIENT_SECRET: clientSecret } = env;
  if (!clientId && !clientSecret) return undefined;
  if (!clientId || !clientSecret) {
    throw notValid('X_CLIENT_ID and X_CLIENT_SECRET: set both, or neither.');
  }
  return {
    clientId,
    clientSecret,
    authorizationUrl: env.X_AUTHORIZATION_URL,
    tokenUrl: env.X_TOKEN_URL,
    apiUrl: withoutSlash(env.X_API_URL),
  };
}

function replicaOf({ DATABASE_URL, DATABASE_REPLICA_URL }: z.infer<typeof Environment>): string | undefined {
  if (DATABASE_REPLICA_URL === undefined || DATABASE_URL !== undefined) return DATABASE_REPLICA_URL;
  throw notValid('DATABASE_REPLICA_URL: the embedded database has no replica.');
}
