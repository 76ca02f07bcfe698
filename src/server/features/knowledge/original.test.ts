import { afterAll, beforeAll, expect, test } from 'vitest';
import { join } from '../../../../test/join.ts';
import { startProduct, type Product } from '../../../../test/product.ts';

/** Members can download the files an agent knows, byte for byte; nobody else can. */

let product: Product;
let organizationId: string;
let item: { id: string; knowledgeId: string };
let fileId: string;
const bytes = Buffer.concat([Buffer.from('Öffnet um neun.\n'), Buffer.alloc(300_000, 'Mehr dazu. ')]);

beforeAll(async () => {
  product = await startProduct();
  const ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  const { id } = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
  const media = new File([bytes], 'Zeiten „neu“.txt', { type: 'text/plain' });
  fileId = (await ada.file.upload({ organizationId, media })).file.id;
  const made = await ada.knowledge.create({ id, organizationId, type: 'file', files: [fileId] });
  item = { id, knowledgeId: made.knowledge.id };
});
afterAll(() => product.close());

test('anybody who may see the item gets the file as it was, as a download', async () => {
  const { client, refresh } = await join(product, product.as('ada'), 'vera', {
    organizationId,
    role: 'viewer',
  });
  const got = await client.source.readFile({ ...item, fileId });
  expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true);
  const path = `/v1/chatbot/${item.id}/knowledge/${item.knowledgeId}/file/${fileId}`;
  const { headers } = await fetch(`${product.url}${path}`, {
    headers: { authorization: `Bearer ${(await refresh()).idToken}` },
  });
  expect(headers.get('content-disposition')).toBe(
    `attachment; filename*=UTF-8''${encodeURIComponent('Zeiten „neu“.txt')}`,
  );
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

test('it is found only through its own item, by its own people', async () => {
  const notThere = { code: 'resource/not-found' };
  const ada = product.as('ada');
  const { knowledge } = await ada.knowledge.create({
    id: item.id,
    organizationId,
    type: 'text',
    description: 'Other',
    text: 'Something else.',
  });
  const other = { ...item, knowledgeId: knowledge.id, fileId };
  await expect(ada.source.readFile(other)).rejects.toMatchObject(notThere);
  await product.as('eve').organization.create({ name: 'Evil' });
  await expect(product.as('eve').source.readFile({ ...item, fileId })).rejects.toMatchObject(notThere);
  await ada.knowledge.remove(item);
  await expect(ada.source.readFile({ ...item, fileId })).rejects.toMatchObject(notThere);
});
