import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { AGENT_IMAGES_KEPT, PHOTO_UPLOADS_PER_HOUR_AND_ADDRESS } from '../../../contract/limits.ts';

let product: Product;
let ada: TestClient;
let organizationId: string;
beforeAll(async () => {
  product = await startProduct();
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(() => product.close());

const createAgent = async () => (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot;

async function picture(width: number, height: number): Promise<File> {
  const drawn = sharp({ create: { width, height, channels: 3, background: '#336699' } });
  const bytes = await drawn
    .withExif({ IFD0: { Copyright: 'SECRET PLACE' } })
    .jpeg()
    .toBuffer();
  return new File([bytes], 'picture.jpg');
}

async function shown(url: string) {
  const response = await fetch(product.url + url);
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    bytes,
    ...(await sharp(bytes)
      .metadata()
      .catch(() => ({}) as never)),
  };
}

test('a photo becomes a square of 160 pixels without the file’s metadata, and the agent can then use it', async () => {
  const { id } = await createAgent();
  const { url } = await ada.chatbot.uploadImage({ id, media: await picture(900, 600) });
  const { bytes, ...size } = await shown(url);
  expect(size).toMatchObject({ status: 200, format: 'webp', width: 160, height: 160 });
  expect(bytes.includes('SECRET PLACE')).toBe(false);
  const { chatbot } = await ada.chatbot.update({ id, organizationId, profilePhoto: url });
  expect(chatbot.profilePhoto).toBe(url);
});

test('a logo keeps its ratio and is at most 512 pixels wide', async () => {
  const { id } = await createAgent();
  const large = await ada.chatbot.uploadImage({ id, purpose: 'logo', media: await picture(2000, 500) });
  expect(await shown(large.url)).toMatchObject({ format: 'webp', width: 512, height: 128 });
  const small = await ada.chatbot.uploadImage({ id, purpose: 'logo', media: await picture(200, 100) });
  expect(await shown(small.url)).toMatchObject({ width: 200, height: 100 });
});

test('an image uploaded for one agent cannot be used by another', async () => {
  const [one, other] = [await createAgent(), await createAgent()];
  const { url } = await ada.chatbot.uploadImage({ id: one.id, media: await picture(200, 200) });
  await expect(ada.chatbot.update({ id: other.id, organizationId, profilePhoto: url })).rejects.toMatchObject(
    { status: 400, errors: [{ path: 'profilePhoto' }] },
  );
  await expect(
    ada.chatbot.create({ organizationId, name: 'Third', profilePhoto: url }),
  ).rejects.toMatchObject({ status: 400, errors: [{ path: 'profilePhoto' }] });
});

test('a replaced photo can be used again', async () => {
  const { id } = await createAgent();
  const first = (await ada.chatbot.uploadImage({ id, media: await picture(200, 200) })).url;
  const second = (await ada.chatbot.uploadImage({ id, media: await picture(300, 200) })).url;
  for (const profilePhoto of [first, second, '/images/agent.svg', first])
    expect((await ada.chatbot.update({ id, organizationId, profilePhoto })).chatbot).toMatchObject({
      profilePhoto,
    });
});

test.each([
  ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', 415],
  ['nothing', '', 400],
  ['a text', 'hello', 415],
] as const)('%s is not an image', async (_what, content, status) => {
  const { id } = await createAgent();
  await expect(ada.chatbot.uploadImage({ id, media: new File([content], 'a.png') })).rejects.toMatchObject({
    status,
  });
});

test('an agent’s images are deleted with it, and beyond the limit the oldest unused ones', async () => {
  expect(PHOTO_UPLOADS_PER_HOUR_AND_ADDRESS).toBeGreaterThan(AGENT_IMAGES_KEPT);
  const { id } = await createAgent();
  const { url: worn } = await ada.chatbot.uploadImage({ id, media: await picture(20, 20) });
  await ada.chatbot.update({ id, organizationId, profilePhoto: worn });
  const { owner } = product.app.deps.db;
  const { url: oldest } = await ada.chatbot.uploadImage({ id, media: await picture(20, 20) });
  await owner.query(
    `insert into agent_image (address, organization_id, agent_id)
     select '/images/' || lpad(to_hex(n), 32, '0') || '.webp', $1, $2 from generate_series(1, ${AGENT_IMAGES_KEPT}) n`,
    [organizationId, id],
  );
  const { url: newest } = await ada.chatbot.uploadImage({ id, media: await picture(20, 20) });
  await expect.poll(async () => (await shown(oldest)).status).toBe(404);
  for (const url of [worn, newest]) expect((await shown(url)).status).toBe(200);
  await ada.chatbot.remove({ id, organizationId, permanently: true });
  for (const url of [worn, newest]) await expect.poll(async () => (await shown(url)).status).toBe(404);
});
