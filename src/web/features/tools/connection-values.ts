import { ApiError } from '../../../contract/client.ts';
import { parseUrl } from '../../../contract/parse-url.ts';
import { tool as contract, type Authentication, type Tool } from '../../../contract/tool.ts';
import { useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import type { ToolChanges } from './use-tools.ts';

/** Selected instead of an address from the document. */
export const OWN_SERVER = 'own';

export const authenticationTypes = [
  'none',
  'apiKey',
  'basic',
  'bearer',
  'oauth2',
  'authorizationCode',
] as const;
export const keyPlaces = ['header', 'query', 'cookie'] as const;

/** As form values: the fields of all authentication types side by side. */
export interface ConnectionValues extends Record<string, unknown> {
  server: string;
  ownServer: string;
  type: Authentication['type'];
  in: (typeof keyPlaces)[number];
  name: string;
  username: string;
  authorizationUrl: string;
  tokenUrl: string;
  clientId: string;
  scope: string;
  /** Empty: the service names none. */
  revocationUrl: string;
  /** Not displayed; part of the discovered sign-in. */
  resource: string;
  /** Empty: the stored one. */
  secret: string;
}

export function valuesOf({ serverUrl, servers, authentication }: Tool): ConnectionValues {
  const known = servers.find((server) => plain(server) === plain(serverUrl ?? ''));
  return {
    server: known ?? OWN_SERVER,
    ownServer: known ? '' : (serverUrl ?? ''),
    in: 'header',
    name: '',
    username: '',
    authorizationUrl: '',
    tokenUrl: '',
    clientId: '',
    scope: '',
    ...authentication,
    revocationUrl: authentication.type === 'authorizationCode' ? (authentication.revocationUrl ?? '') : '',
    resource: authentication.type === 'authorizationCode' ? (authentication.resource ?? '') : '',
    secret: '',
  };
}

/** The values to send. */
export function connectionOf(values: ConnectionValues): ToolChanges {
  const serverUrl = addressOf(values);
  const secret = values.type === 'none' ? '' : values.secret;
  return {
    authentication: authenticationOf(values),
    ...(serverUrl !== '' && { serverUrl }),
    ...(secret !== '' && { secret }),
  };
}

/** The stored values that `connectionOf` would replace. */
export function seenOf(stored: ConnectionValues) {
  return { authentication: authenticationOf(stored), serverUrl: addressOf(stored) || null };
}

/** As sent; empty if there is none yet. */
export function addressOf({ server, ownServer }: ConnectionValues): string {
  return server === OWN_SERVER ? ownServer.trim() : server;
}

/** The server to ask how people sign in, with the entered client, if any. */
export function serverOf(values: ConnectionValues) {
  const { type, clientId, secret } = values;
  const isOfPeople = type === 'authorizationCode';
  return {
    serverUrl: addressOf(values),
    ...(isOfPeople && clientId !== '' && { clientId }),
    ...(isOfPeople && secret !== '' && { secret }),
  };
}

function authenticationOf(values: ConnectionValues): Authentication {
  const { type, name, username, authorizationUrl, tokenUrl, clientId, scope, resource } = values;
  switch (type) {
    case 'apiKey':
      return { type, in: values.in, name };
    case 'basic':
      return { type, username };
    case 'oauth2':
      return { type, tokenUrl, clientId, scope };
    case 'authorizationCode':
      return {
        type,
        authorizationUrl,
        tokenUrl,
        clientId,
        scope,
        ...(resource !== '' && { resource }),
        ...(values.revocationUrl !== '' && { revocationUrl: values.revocationUrl }),
      };
    case 'none':
    case 'bearer':
      return { type };
  }
}

/** Whether the stored secret stays valid: it is only for the address and type it was given for. */
export function isSecretKept(tool: Tool, values: ConnectionValues): boolean {
  const before = valuesOf(tool);
  return (
    tool.hasSecret &&
    before.type === values.type &&
    plain(before.tokenUrl) === plain(values.tokenUrl) &&
    before.authorizationUrl === values.authorizationUrl &&
    before.revocationUrl === values.revocationUrl &&
    (values.type !== 'authorizationCode' || before.clientId === values.clientId) &&
    plain(addressOf(before)) === plain(addressOf(values))
  );
}

/** An address in normalized form, for comparison. */
function plain(address: string): string {
  const written = parseUrl(address.trim())?.href ?? address.trim();
  return written.endsWith('/') ? written.slice(0, -1) : written;
}

export type ConnectionForm = ReturnType<typeof useConnectionForm>;

export function useConnectionForm(tool: Tool) {
  return useValidForm<ConnectionValues>({
    initial: valuesOf(tool),
    schema: { safeParse: (values) => judged(tool, values as ConnectionValues) },
    labels: {
      server: t('tools.server'),
      ownServer: t('tools.serverAddress'),
      type: t('tools.authentication'),
      in: t('tools.keyPlace'),
      name: t('tools.keyName'),
      username: t('tools.username'),
      authorizationUrl: t('tools.authorizationUrl'),
      revocationUrl: t('tools.revocationUrl'),
      tokenUrl: t('tools.tokenUrl'),
      clientId: t('tools.clientId'),
      scope: t('tools.scope'),
      secret: t('tools.secret.apiKey'),
    },
    check: (values) => secretObjection(tool, values),
  });
}

function secretObjection(tool: Tool, values: ConnectionValues): Record<string, string> {
  const isPublic = values.type === 'authorizationCode' && !tool.hasSecret;
  const isNeeded = values.type !== 'none' && !isPublic;
  const isMissing = isNeeded && values.secret === '' && !isSecretKept(tool, values);
  return isMissing ? { secret: t('tools.secretNeeded') } : {};
}

/** Validates with the contract's schema; errors appear at the field the person used. */
function judged({ id }: Tool, values: ConnectionValues) {
  const result = contract.update.input.safeParse({ id, ...connectionOf(values) });
  if (result.success) return { success: true } as const;
  const issues = result.error.issues.map(({ path, message }) => ({
    path: [fieldOf(path.map(String), values)],
    message,
  }));
  return { success: false, error: { issues } } as const;
}

function fieldOf(path: readonly string[], { server }: ConnectionValues): string {
  const field = path.at(-1) ?? '';
  return field === 'serverUrl' && server === OWN_SERVER ? 'ownServer' : field.replace('serverUrl', 'server');
}

/** Shows the server's errors at their fields. False if there are none for fields. */
export function showConnectionErrors(form: ConnectionForm, error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { values } = form;
  const found = error.errors.map(({ path, message }) => [fieldOf(path.split('.'), values), message]);
  const known = found.filter(([field = '']) => field in values);
  if (error.code === 'tool/secret-needed') known.push(['secret', t('tools.secretAgain')]);
  form.setErrors(Object.fromEntries(known));
  return known.length > 0;
}
