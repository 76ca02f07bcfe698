import { createECDH, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import ece from 'http_ece';
import { importJWK, jwtVerify } from 'jose';

/** A push service with one browser: it verifies the sender (RFC 8292), and decrypts as only that browser can (RFC 8291). */
export interface PushService {
  host: string;
  subscription: { endpoint: string; p256dh: string; auth: string };
  /** The notifications the browser received. */
  received: { title: string; body: string; url: string; tag: string }[];
  /** The senders, as they identified themselves. */
  senders: string[];
  /** The status of the next responses; 201 by default. */
  status: number;
  close: () => Promise<void>;
}

export async function startPushService(publicKey: () => string): Promise<PushService> {
  const browser = createECDH('prime256v1');
  const p256dh = browser.generateKeys('base64url');
  const auth = randomBytes(16).toString('base64url');
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (service.status !== 201) return response.writeHead(service.status).end();
    const [, token = '', key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(request.headers.authorization ?? '') ?? [];
    if (key !== publicKey()) return response.writeHead(403).end();
    const { payload } = await jwtVerify(token, await keyOf(publicKey()), {
      audience: `http://${service.host}`,
    });
    service.senders.push(payload.sub ?? '');
    const options = { version: 'aes128gcm', privateKey: browser, authSecret: auth } as const;
    service.received.push(JSON.parse(ece.decrypt(Buffer.concat(chunks), options).toString()));
    return response.writeHead(201).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service: PushService = {
    host,
    subscription: { endpoint: `http://${host}/browser/1`, p256dh, auth },
    received: [],
    senders: [],
    status: 201,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
  return service;
}

function keyOf(point: string) {
  const bytes = Buffer.from(point, 'base64url');
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map((part) => part.toString('base64url'));
  return importJWK({ kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, 'ES256');
}
