import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { expect, vi } from 'vitest';
import * as yauzl from 'yauzl';
import type { AgentImport } from '../src/contract/agent-file.ts';
import type { knowledge } from '../src/contract/knowledge.ts';
import type { InputOf } from '../src/contract/route.ts';
import type { EmbeddingConfig } from '../src/server/config/models.ts';
import { sweepRemovedBytes } from '../src/server/features/file/removed-bytes.ts';
import { zipOf, type ZipPart } from './fixtures/zip-writer.ts';
import type { Product, TestClient } from './product.ts';
import { tusOf } from './tus.ts';

/** Agents as files: created, transferred, taken apart, and reassembled in invalid ways. */

export interface Part extends ZipPart {
  content: string | Buffer;
}

async function partsOf(file: Buffer): Promise<Part[]> {
  const zip = await yauzl.fromBufferPromise(file, { lazyEntries: true });
  const parts: Part[] = [];
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = [];
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer);
    parts.push({ name: entry.fileName, content: Buffer.concat(pieces) });
  }
  return parts.map((part) =>
    /\.jsonl?$/.test(part.name) ? { ...part, content: String(part.content) } : part,
  );
}

export const makeAgentFile = {
  partsOf,
  zip: (parts: Part[]): Buffer<ArrayBuffer> => Buffer.from(zipOf(parts)),
  /** The first part claims to be one byte long. */
  lying: (parts: Part[]): Buffer<ArrayBuffer> =>
    Buffer.from(zipOf(parts.map((part, at) => (at === 0 ? { ...part, size: 1 } : part)))),
  /** All the text in it. */
  textOf: async (file: Buffer): Promise<string> =>
    (await partsOf(file)).map(({ name, content }) => `${name}\n${String(content)}`).join('\n'),
};

/** An embedding model at this address. */
export const embeddingAt = (baseUrl: string): EmbeddingConfig => ({
  provider: 'openai',
  apiKey: 'sk',
  baseUrl,
  model: 'meaning-1',
  dimensions: undefined,
  weight: 0.2,
  support: 0.85,
});

type NewItem = Omit<InputOf<typeof knowledge.create>, 'id' | 'organizationId'>;

const siteOf = (port: number): NewItem => ({
  type: 'website',
  links: [`http://127.0.0.1:${port}/`],
  site: { mode: 'domain' },
  schedule: 'weekly',
});

/** A person who creates, exports and imports agents in one organization. */
export class Workshop {
  readonly product: Product;
  readonly person: string;
  readonly organizationId: string;
  /** The port of a website that agents know. */
  readonly sitePort: number | undefined;

  constructor(product: Product, person: string, organizationId: string, sitePort?: number) {
    this.product = product;
    this.person = person;
    this.organizationId = organizationId;
    this.sitePort = sitePort;
  }

  get ada(): TestClient {
    return this.product.as(this.person);
  }

  /** An agent with knowledge of every kind, settings, a draft, a photo and tests. */
  async furnish(): Promise<string> {
    const { ada, organizationId } = this;
    const { id } = (await ada.chatbot.create({ organizationId, name: 'Guide' })).chatbot;
    const lines = Array.from(
      { length: 60 },
      (_, n) => `## Rule ${n}\n\nRule number ${n} says that bicycles ride free on day ${n}.`,
    );
    const items: NewItem[] = [
      { type: 'text', description: 'Rules', text: lines.join('\n\n') },
      { type: 'qa', description: 'When do you open?', text: 'We open at nine.' },
      { type: 'qa', description: 'When do you close?', text: 'We close at five.' },
      { type: 'product', description: 'Lamp Aurora, 49 euros\nA bright lamp for bicycles.' },
      ...(this.sitePort === undefined ? [] : [siteOf(this.sitePort)]),
      { type: 'file', files: [await this.#fileId('guide.docx'), await this.#fileId('fleet.xlsx')] },
      // Identical passages: their order depends on when they were indexed.
      ...Array.from({ length: 5 }, (): NewItem => ({
        type: 'text',
        description: 'Same',
        text: 'The ferry is blue.',
      })),
    ];
    for (const item of items) await ada.knowledge.create({ id, organizationId, ...item });
    await vi.waitUntil(async () => (await this.statesOf(id)).every((state) => state === 'ready'), 60_000);
    await vi.waitUntil(() => this.#isEmbedded(id), 30_000);
    const media = new File(
      [
        await sharp({ create: { width: 300, height: 200, channels: 3, background: '#ff0000' } })
          .png()
          .toBuffer(),
      ],
      'a.png',
    );
    const { url } = await ada.chatbot.uploadImage({ id, media });
    const { version } = (
      await ada.chatbot.update({ id, organizationId, profilePhoto: url, customInstructions: 'Live.' })
    ).chatbot;
    await ada.version.publish({ id, organizationId, number: version });
    await ada.chatbot.update({ id, organizationId, customInstructions: 'Draft.' });
    const cases = [
      { question: 'When do you open?', expectations: [{ kind: 'contains' as const, text: 'nine' }] },
    ];
    await ada.testSet.create({ id, organizationId, name: 'Basics', cases });
    return id;
  }

  /** Gives an agent a built-in tool, and the service of this document with an API key. */
  async equip(
    agentId: string,
    document: object,
  ): Promise<{ builtin: string; service: string; secret: string }> {
    const { ada, organizationId } = this;
    const secret = 'key-of-the-owner-8151';
    const of = { organizationId, agentId };
    const builtin = (await ada.tool.create({ ...of, kind: 'builtin', name: 'Basics' })).tool.id;
    const form = [{ key: 'email', label: 'E-mail', kind: 'email' as const, required: true, choices: [] }];
    const asked = { id: 'collectLead', enabled: true, policy: 'ask' as const };
    await ada.tool.update({ id: builtin, hosts: ['example.com'], form, operations: [asked] });
    const service = (await ada.tool.create({ ...of, name: 'Shop' })).tool.id;
    await ada.tool.update({
      id: service,
      schema: { text: JSON.stringify(document) },
      authentication: { type: 'apiKey', in: 'header', name: 'x-key' },
      secret,
    });
    const operations = [
      { id: 'listOrders', enabled: true, policy: 'ask' as const },
      { id: 'createOrder', enabled: true, policy: 'deny' as const },
    ];
    await ada.tool.update({ id: service, operations });
    return { builtin, service, secret };
  }

  async #fileId(name: string): Promise<string> {
    const media = new File([await readFile(new URL(`fixtures/${name}`, import.meta.url))], name);
    return (await this.ada.file.upload({ organizationId: this.organizationId, media })).file.id;
  }

  async statesOf(id: string): Promise<string[]> {
    return (await this.ada.knowledge.list({ id })).allKnowledge.map(({ progress }) => progress.state);
  }

  async #isEmbedded(id: string): Promise<boolean> {
    const [row] = await this.#query<{ open: number; all: number }>(
      `select count(*) filter (where v.chunk_id is null)::int as open, count(*)::int as all
         from chunk c left join chunk_vector v on v.chunk_id = c.id where c.agent_id = '${id}'`,
    );
    return row?.open === 0 && row.all > 0;
  }

  async #query<Row extends object>(sql: string): Promise<Row[]> {
    return (await this.product.app.deps.db.owner.query<Row>(sql)).rows;
  }

  async exported(id: string): Promise<Buffer<ArrayBuffer>> {
    const file = await this.ada.agentFile.export({ id, organizationId: this.organizationId });
    return Buffer.from(await file.arrayBuffer());
  }

  async uploaded(bytes: Buffer<ArrayBuffer>): Promise<string> {
    const tus = tusOf(this.product, this.person);
    const uploadId = await tus.begin(this.organizationId, bytes.length, 'agent.zip', 'agent');
    expect((await tus.patch(uploadId, 0, bytes)).status).toBe(204);
    return uploadId;
  }

  async read(importId: string): Promise<AgentImport> {
    const { organizationId } = this;
    return (await this.ada.agentFile.getImport({ importId, organizationId })).import;
  }

  async settled(importId: string): Promise<AgentImport> {
    await vi.waitUntil(async () => /ready|failed/.test((await this.read(importId)).state), 60_000);
    return this.read(importId);
  }

  async imported(bytes: Buffer<ArrayBuffer>): Promise<AgentImport> {
    const uploadId = await this.uploaded(bytes);
    const { organizationId } = this;
    return this.settled((await this.ada.agentFile.import({ organizationId, uploadId })).import.id);
  }

  /** The count of everything, storage included, once no removals are pending. */
  async inventory() {
    await vi.waitUntil(async () => {
      await sweepRemovedBytes(this.product.app.deps);
      return (await this.#query('select 1 from removed_bytes')).length === 0;
    }, 20_000);
    const [rows] = await this.#query<{ agents: number }>(
      `select (select count(*) from agent)::int as agents, (select count(*) from knowledge)::int as items,
         (select count(*) from source)::int as sources, (select count(*) from chunk)::int as chunks,
         (select count(*) from posting)::int as postings, (select count(*) from file)::int as files,
         (select count(*) from agent_image)::int as images`,
    );
    const folder = path.join(this.product.app.deps.config.dataDir, 'files');
    const entries = await readdir(folder, { recursive: true });
    return { ...rows, stored: entries.filter((name) => /(fil|img)_\w+$/.test(name)).length };
  }
}
