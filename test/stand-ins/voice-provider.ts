import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface VoiceProvider {
  /** For `OPENAI_BASE_URL`. */
  baseUrl: string;
  /** The transcript of every recording. */
  hears: string;
  /** An HTTP error instead of an answer. */
  status: number | undefined;
  transcriptions: {
    model: string;
    name: string;
    type: string;
    bytes: number;
    authorization: string | undefined;
  }[];
  speeches: { model: string; input: string; voice: string }[];
  close: () => Promise<void>;
}

/** The audio for every text. */
export const SPOKEN = Buffer.from('ID3 spoken');

/** A server for OpenAI's transcription and speech protocol over loopback, like any compatible one. */
export async function startVoiceProvider(): Promise<VoiceProvider> {
  const provider = {
    hears: 'When do you open?',
    transcriptions: [],
    speeches: [],
  } as unknown as VoiceProvider;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (provider.status) {
      response.writeHead(provider.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'No.', type: 'stand_in' } }));
    } else if (request.url === '/v1/audio/transcriptions') {
      const headers = { 'content-type': request.headers['content-type'] ?? '' };
      const form = await new Response(body, { headers }).formData();
      const file = form.get('file') as File;
      provider.transcriptions.push({
        model: form.get('model') as string,
        name: file.name,
        type: file.type,
        bytes: file.size,
        authorization: request.headers.authorization,
      });
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ text: ` ${provider.hears} `, language: 'english', duration: 2 }));
    } else if (request.url === '/v1/audio/speech') {
      provider.speeches.push(JSON.parse(body.toString('utf8')) as VoiceProvider['speeches'][number]);
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(SPOKEN);
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  provider.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  provider.close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return provider;
}
