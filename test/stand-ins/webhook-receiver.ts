import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A receiver as customers write one: it verifies each delivery with the official library of Standard Webhooks. */
export interface WebhookReceiver {
  url: string;
  host: string;
  secret: string;
  /** Deliveries with a valid signature, in order of arrival. */
  received: { id: string; type: string; data: Record<string, unknown> }[];
  /** The number of deliveries with an invalid signature. */
  forged: number;
  /** Responses to the next deliveries; 200 when none is left. `endless`: a body that never ends. */
  answers: (number | 'endless')[];
  close: () => Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    try {
      const headers = request.headers as Record<string, string>;
      const { type, data } = new Webhook(receiver.secret).verify(body, headers) as {
        type: string;
        data: Record<string, unknown>;
      };
      receiver.received.push({ id: headers['webhook-id'] ?? '', type, data });
    } catch {
      receiver.forged += 1;
    }
    const status = receiver.answers.shift() ?? 200;
    if (status === 'endless') {
      response.writeHead(200);
      const more = setInterval(() => response.write('x'.repeat(100_000)), 1);
      response.on('close', () => clearInterval(more));
      return;
    }
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receiver: WebhookReceiver = {
    url: `http://${host}/hook`,
    host,
    secret: `whsec_${Buffer.alloc(32).toString('base64')}`,
    received: [],
    forged: 0,
    answers: [],
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
  return receiver;
}
