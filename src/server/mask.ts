import type { Config } from './config/config.ts';

const MASK = '[masked]';

/** Shorter ones occur in text by chance. */
const SECRET_MIN_CHARACTERS = 6;

/** Field and parameter names that carry credentials. */
const names = [
  'authorization',
  'cookie',
  'set-cookie',
  'token',
  'id-token',
  'id_token',
  'idToken',
  'access_token',
  'accessToken',
  'refresh_token',
  'refreshToken',
  'api_key',
  'apiKey',
  'x-api-key',
  'key',
  'client_secret',
  'clientSecret',
  'secret',
  'password',
  'code',
  'code_verifier',
  'signature',
].join('|');

/** In a line of JSON: any string field with such a name, except `code`, since error codes are names, not secrets. */
const fields = new RegExp(`"(${names.replace('|code|', '|')})":"(?:[^"\\\\]|\\\\.)*"`, 'gi');
/** In a URL's query. */
const parameters = new RegExp(`([?&](?:${names})=)[^&\\s"\\\\#]+`, 'gi');
/** In a URL, before the host. */
const userInfo = /:\/\/[^\s/@"\\]+@/g;
const schemes = /\b(Bearer|Basic) [\w.~+/=-]{8,}/gi;
/** As in Telegram's paths. */
const botTokens = /\/bot\d+:[\w-]+/g;

/** Masks credentials in a log line: this installation's own by value, others by position. */
export function masking(secrets: string[]): (line: string) => string {
  return (line) => {
    const known = secrets.reduce((text, secret) => text.replaceAll(secret, MASK), line);
    return known
      .replace(fields, `"$1":"${MASK}"`)
      .replace(userInfo, `://${MASK}@`)
      .replace(parameters, `$1${MASK}`)
      .replace(schemes, `$1 ${MASK}`)
      .replace(botTokens, `/bot${MASK}`);
  };
}

/** The secrets in the environment that must not appear in a log, both verbatim and as encoded in URLs. */
export function secretsOf(config: Partial<Config>): string[] {
  const { operations, payments, google, x, providers = {}, transcription, speech, embedding } = config;
  const found = [
    config.secretKey,
    operations?.secretKeyPrevious,
    operations?.metricsToken,
    ...Object.values(operations?.traces?.headers ?? {}),
    payments?.secretKey,
    ...(payments?.webhookSecrets ?? []),
    google?.clientSecret,
    x?.clientSecret,
    ...Object.values(providers).map(({ apiKey }) => apiKey),
    ...[transcription, speech].map((voice) => voice?.apiKey),
    embedding && 'apiKey' in embedding ? embedding.apiKey : undefined,
    ...[config.databaseUrl, config.databaseReplicaUrl, config.smtpUrl, config.redisUrl].flatMap(passwordsIn),
  ];
  const secrets = found.filter(
    (secret): secret is string => secret !== undefined && secret.length >= SECRET_MIN_CHARACTERS,
  );
  return [...new Set(secrets)].toSorted((a, b) => b.length - a.length);
}

function passwordsIn(address: string | undefined): string[] {
  if (address === undefined || !URL.canParse(address)) return [];
  const { password } = new URL(address);
  try {
    return password === '' ? [] : [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}
