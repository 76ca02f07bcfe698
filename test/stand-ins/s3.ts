import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { S3Client, CreateBucketCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import S3rver from 's3rver';
import { makeTemporaryFolder } from '../temporary-folder.ts';

/** A store with the S3 protocol that keeps its objects in its own folder. */
export interface LocalS3 {
  /** For `STORAGE_URL`, with the bucket `files`. */
  url: string;
  port: number;
  /** The names of all objects in the bucket. */
  objects: () => Promise<string[]>;
  /**
   * From now on connections are cut (`broken`), answered with a 503 (`busy`) or with a permission error (`closed`), or
   * kept open without a response (`silent`), until it is `well` again. While it is `ahead`, its clock is an hour ahead:
   * it rejects requests signed with a different time, and accepts others without storing anything.
   */
  state: 'well' | 'broken' | 'busy' | 'closed' | 'silent' | 'ahead';
  /** The number of requests so far. */
  requests: number;
  close: () => Promise<void>;
}

const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

const AHEAD_MS = 3_600_000;
const skewed = (now: Date): string =>
  `<?xml version="1.0"?><Error><Code>RequestTimeTooSkewed</Code><Message>The difference is too large.</Message><ServerTime>${now.toISOString()}</ServerTime></Error>`;

/** The time in a signature, which has no separators. */
const signedAt = (given: string): number =>
  Date.parse(given.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)/, '$1-$2-$3:$4:'));

const denied =
  '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';

/** On loopback unless another address of this machine is given. */
export async function startS3(host = '127.0.0.1'): Promise<LocalS3> {
  const directory = await makeTemporaryFolder('s3');
  const answer = new S3rver({ directory, silent: true }).callback();
  const server = createServer((request, response) => {
    local.requests += 1;
    if (local.state === 'broken') return void request.socket.destroy();
    if (local.state === 'silent') return void request.resume();
    if (local.state === 'busy') return void response.writeHead(503).end();
    if (local.state === 'closed') {
      request.resume();
      return void response.writeHead(403, { 'content-type': 'application/xml' }).end(denied);
    }
    if (local.state === 'ahead') {
      const now = new Date(Date.now() + AHEAD_MS);
      const isRight = Math.abs(signedAt(String(request.headers['x-amz-date'])) - now.getTime()) < 900_000;
      request.resume();
      response.writeHead(isRight ? 200 : 403, { date: now.toUTCString(), 'content-type': 'application/xml' });
      return void response.end(isRight ? '' : skewed(now));
    }
    answer(request, response);
  });
  const port = await listen(server, host);
  const endpoint = `http://${host}:${port}`;
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
  const local: LocalS3 = {
    url: `s3://S3RVER:S3RVER@files/parley?endpoint=${encodeURIComponent(endpoint)}&forcePathStyle=true`,
    port,
    state: 'well',
    requests: 0,
    objects: async () => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'files' }));
      return Contents.map(({ Key = '' }) => Key).toSorted();
    },
    close: async () => {
      client.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
  await client.send(new CreateBucketCommand({ Bucket: 'files' }));
  return local;
}

async function listen(server: Server, host: string): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}
