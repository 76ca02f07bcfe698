import path from 'node:path';
import { StartError } from '../start-error.ts';

type StorageAddress = { kind: 'disk'; folder: string } | ({ kind: 's3' } & S3Address);

export interface S3Address {
  bucket: string;
  /** Empty, or ending in a slash. */
  prefix: string;
  region: string;
  endpoint: string | undefined;
  forcePathStyle: boolean;
  /** Undefined: from the usual variables and files of the AWS tools. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
}

const parameters = ['region', 'endpoint', 'forcePathStyle'];

/**
 * Parses `STORAGE_URL`: nothing or a folder for the disk, `s3://bucket/prefix?region=&endpoint=&forcePathStyle=` for
 * S3. An unusable value aborts the start with a message that says why, never revealing a secret it may contain.
 */
export function storageAddress(given: string | undefined, dataDir: string): StorageAddress {
  if (given === undefined) return { kind: 'disk', folder: path.join(dataDir, 'files') };
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(given)) return { kind: 'disk', folder: path.resolve(given) };
  const url = URL.parse(given);
  if (url?.protocol !== 's3:') throw refused('it is neither a folder nor an s3:// address');
  const bucket = decodeURIComponent(url.hostname);
  if (bucket === '') throw refused('it names no bucket (storage/no-default-bucket)');
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined) throw refused(`the parameter ${unknown} is not known`);
  if ((url.username === '') !== (url.password === ''))
    throw refused('it has a user or a password, but not both');
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    throw refused('its endpoint is no http or https address');
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|(?<!\/)\/+$/g, '');
  return {
    kind: 's3',
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region: url.searchParams.get('region') ?? 'us-east-1',
    endpoint,
    forcePathStyle: url.searchParams.get('forcePathStyle') === 'true',
    credentials:
      url.username === ''
        ? undefined
        : {
            accessKeyId: decodeURIComponent(url.username),
            secretAccessKey: decodeURIComponent(url.password),
          },
  };
}

function refused(why: string): StartError {
  return new StartError(`STORAGE_URL cannot be used: ${why}.`);
}
