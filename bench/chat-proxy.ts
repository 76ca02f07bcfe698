import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

/**
 * The least a chat server can do: pass the provider's stream on, committing the question before and the answer after.
 * Any time Parley takes beyond this is its own.
 */
const [databaseUrl = '', providerUrl = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 16 });
await pool.query(
  'create table if not exists bench_message (id bigint generated always as identity primary key, role text, text text)',
);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { text, model } = JSON.parse(Buffer.concat(chunks).toString()) as { text: string; model: string };
  await pool.query('insert into bench_message (role, text) values ($1, $2)', ['user', text]);
  const upstream = await fetch(`${providerUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: text }] }),
  });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let whole = '';
  for await (const piece of upstream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    whole += piece;
    response.write(piece);
  }
  await pool.query('insert into bench_message (role, text) values ($1, $2)', ['assistant', whole]);
  response.end();
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => {
  console.log(`proxy at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('SIGTERM', () => process.exit(0));
