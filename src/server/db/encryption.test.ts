import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls';
import { expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { StartError } from '../start-error.ts';
import { connect } from './open.ts';

/** Of "localhost", signed by itself. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg/byV4zudGFw7HEwW
6zV3dI1tBA9sGrI4yWbTnL0welChRANCAASYOtyNDmtF6zAS0t84yq42NvnWY8wC
7Nw9JVDBSAPnFZDA7W7DK61lNNM9szE3tjb+Fwi2bAyHzjO09G+ZIgBL
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBFjCBvaADAgECAgEBMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWxvY2FsaG9z
dDAgFw0yNDAxMDEwMDAwMDBaGA8yMTI0MDEwMTAwMDAwMFowFDESMBAGA1UEAwwJ
bG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEmDrcjQ5rReswEtLf
OMquNjb51mPMAuzcPSVQwUgD5xWQwO1uwyutZTTTPbMxN7Y2/hcItmwMh84ztPRv
mSIASzAKBggqhkjOPQQDAgNIADBFAiEAqpRLEDT7dBHY2abIMj8jvAmWRUCFVT+B
z/K8eUlBC4wCIAaOFLPqJPSMO8RQt1YzKwuEj5YJymL5YIk3vdSar3sU
-----END CERTIFICATE-----`;

/** PostgreSQL's refusal of a connection. */
function refusal(code: string, words: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${words}\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** What a start says about a database that answers with these bytes, and then encrypts. */
async function startWith(query: string, answer: Buffer, secureContext?: SecureContext): Promise<unknown> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(answer);
      if (secureContext)
        new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => undefined);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `postgres://parley:secret@127.0.0.1:${port}/parley${query}`;
  const log = createLog({ logLevel: 'silent' });
  const failure = await connect(url, { databasePoolSize: 2 }, log).catch((error: unknown) => error);
  server.close();
  return failure;
}

test('a database that takes only encrypted connections says so', async () => {
  const words = 'no pg_hba.conf entry for host "10.0.0.9", user "parley", database "parley", no encryption';
  expect(await startWith('', refusal('28000', words))).toEqual(
    new StartError(
      `The database refused the connection: ${words}. Add ?sslmode=verify-full to DATABASE_URL.`,
    ),
  );
  const other = 'role "parley" is not permitted to log in';
  expect(await startWith('', refusal('28000', other))).toEqual(
    new StartError(`The database refused the connection: ${other}.`),
  );
});

test('a database that does not encrypt is named as such', async () => {
  const failure = await startWith('?sslmode=verify-full', Buffer.from('N'));
  expect(failure).toBeInstanceOf(StartError);
  expect(String(failure)).toContain('does not encrypt');
});

test('a certificate that is not trusted is named as such, with what to add', async () => {
  const failure = await startWith(
    '?sslmode=verify-full',
    Buffer.from('S'),
    createSecureContext({ key, cert }),
  );
  expect(failure).toBeInstanceOf(StartError);
  expect(String(failure)).toMatch(/is not trusted: self-signed certificate.* sslrootcert=/);
});
