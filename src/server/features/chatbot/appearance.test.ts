import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { Appearance } from '../../../contract/appearance.ts';
import { skins } from '../../../contract/skins.ts';

/** An agent's appearance is chosen from typed values. No field accepts arbitrary styles. */

let product: Product;
let ada: TestClient;
let agent: { id: string; organizationId: string };
beforeAll(async () => {
  product = await startProduct();
  ada = product.as('ada');
  const organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agent = { id: (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id, organizationId };
});
afterAll(() => product.close());

const styles = [
  '</style><script>alert(1)</script>',
  'url(http://evil.example/x)',
  '#fff;background:url(//evil.example)',
  '#5b5bd6}body{position:fixed}',
  '#5b5bd6/**/',
  'expression(alert(1))',
  'var(--x)',
  '@import "//evil.example";',
  'red',
  '#5b5bd6\n',
  ' #5b5bd6',
  '#５b5bd6',
  'javascript:alert(1)',
];

const hostile: [string, unknown][] = [
  ...styles.map((value): [string, unknown] => ['accent', value]),
  ...['dark;', 'dark"', 'DARK', '', null].map((value): [string, unknown] => ['scheme', value]),
  ...['8px', '8', -1, 25, 1.5, '1e309', null, [8]].map((value): [string, unknown] => ['radius', value]),
  ...['top', 'right;left:0', 'fixed'].map((value): [string, unknown] => ['position', value]),
  ...['css', 'customCss', 'style', 'font', 'background', 'skin', 'logo', 'html'].map(
    (field): [string, unknown] => [field, 'url(//evil.example)'],
  ),
  ...['light', 'dark'].flatMap((scheme) =>
    [...styles, null].map((text): [string, unknown] => [scheme, { ...skins.parley.light, text }]),
  ),
  ['light', { ...skins.parley.light, css: 'body{}' }],
  ['dark', { text: '#000000' }],
  ['font', "Inter;background:url('//evil.example')"],
  ['skin', 'constructor'],
  ...['https://evil.example/x.png', '//evil.example/x.png', '/images/../x', 'javascript:alert(1)'].map(
    (value): [string, unknown] => ['logo', value],
  ),
];

test.each(hostile)('%s: %j is refused, and nothing is changed', async (field, value) => {
  const appearance = { [field]: value } as never;
  await expect(ada.chatbot.update({ ...agent, appearance })).rejects.toMatchObject({ status: 400 });
  const { chatbot } = await ada.chatbot.get(agent);
  expect(chatbot.appearance).toEqual(Appearance.parse({ skin: 'parley' }));
});

test('styles cannot hide in any other field of an agent either', async () => {
  for (const field of ['css', 'customCss', 'style', 'skin', 'theme', 'head', 'script', 'html'])
    await expect(ada.chatbot.update({ ...agent, [field]: 'body{position:fixed}' })).rejects.toMatchObject({
      status: 400,
      errors: [{ path: field }],
    });
});

test('a person who chats with it gets the colors of its skin, whatever colors were saved beside it', async () => {
  const made = (await ada.chatbot.create({ organizationId: agent.organizationId, name: 'Dressed' })).chatbot;
  const { id, organizationId } = made;
  const { accent, light, dark } = skins.harbour;
  await ada.chatbot.update({
    id,
    organizationId,
    appearance: { skin: 'harbour', accent: '#ff0000', radius: 3 },
  });
  const shown = (await product.as('nobody', 'anonymous').chatbot.getPublic({ idOrHandle: id })).agent;
  expect(shown.appearance).toMatchObject({ skin: 'harbour', accent, light, dark, radius: 3 });
  await ada.chatbot.update({ id, organizationId, appearance: { accent: '#ff0000' } });
  const own = (await product.as('nobody', 'anonymous').chatbot.getPublic({ idOrHandle: id })).agent;
  expect(own.appearance).toMatchObject({ skin: 'own', accent: '#ff0000' });
});

test('a logo is an image uploaded for this agent, and for no other', async () => {
  const { organizationId } = agent;
  const png = await sharp({ create: { width: 300, height: 60, channels: 3, background: '#1d7ea3' } })
    .png()
    .toBuffer();
  const media = new Blob([new Uint8Array(png)], { type: 'image/png' });
  const { url: logo } = await ada.chatbot.uploadImage({ id: agent.id, purpose: 'logo', media });
  const other = (await ada.chatbot.create({ organizationId, name: 'Other' })).chatbot;
  const wear = (id: string, logo: string | null) =>
    ada.chatbot.update({ id, organizationId, appearance: { logo } });
  await expect(wear(other.id, logo)).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'appearance.logo' }],
  });
  await expect(wear(agent.id, '/images/agent.svg')).rejects.toMatchObject({ status: 400 });
  expect((await wear(agent.id, logo)).chatbot.appearance.logo).toBe(logo);
  expect(
    (await product.as('nobody', 'anonymous').chatbot.getPublic({ idOrHandle: agent.id })).agent.appearance
      .logo,
  ).toBe(logo);
  expect((await wear(agent.id, null)).chatbot.appearance.logo).toBeNull();
});
