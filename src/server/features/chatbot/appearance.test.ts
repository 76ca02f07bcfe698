import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';

/** How an agent looks is chosen among values of a kind. There is no field in which a style could be written. */

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
];

test.each(hostile)('%s: %j is refused, and nothing is changed', async (field, value) => {
  const appearance = { [field]: value } as never;
  await expect(ada.chatbot.update({ ...agent, appearance })).rejects.toMatchObject({ status: 400 });
  const { chatbot } = await ada.chatbot.get(agent);
  expect(chatbot.appearance).toEqual({ accent: '#5b5bd6', scheme: 'system', radius: 8, position: 'right' });
});

test('what an agent’s look could hide its styles in is no field of an agent either', async () => {
  for (const field of ['css', 'customCss', 'style', 'skin', 'theme', 'head', 'script', 'html'])
    await expect(ada.chatbot.update({ ...agent, [field]: 'body{position:fixed}' })).rejects.toMatchObject({
      status: 400,
      errors: [{ path: field }],
    });
});
