import type { Config } from './config/config.ts';

const MASK = '[masked]';

/** Shorter ones stand in texts by chance. */
const SECRET_MIN_CHARACTERS = 6;

/** Names under which a credential is carried, in an object or in an address. */
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

/** Of a line of JSON: a field of such a name, whatever it holds that is a text; codes of errors are names, not secrets. */
const fields = new RegExp(`"(${names.replace('|code|', '|')})":"(?:[^"\\\\]|\\\\.)*"`, 'gi');
/** In the query of an address. */
const parameters = new RegExp(`([?&](?:${names})=)[^&\\s"\\\\#]+`, 'gi');
/** In an address, before its host. */
const userInfo = /:\/\/[^\s/@"\\]+@/g;
const schemes = /\b(Bearer|Basic) [\w.~+/=-]{8,}/gi;
/** As Telegram has it in its paths. */
const botTokens = /\/bot\d+:[\w-]+/g;

/** Masks credentials in a line of the log: those of this installation by what they are, others by where they stand. */
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

/** What the environment holds that nobody may read in a log, as it is and as it stands in addresses. */
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
