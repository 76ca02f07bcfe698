import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../test/product.ts';

/** Uploaded content, opened by its address in a browser. */

let product: Product;
let ada: TestClient;
let organizationId: string;
beforeAll(async () => {
  product = await startProduct();
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(() => product.close());

const SCRIPT = '<script>alert(document.domain)</script>';

const pixels = () =>
  sharp({ create: { width: 20, height: 20, channels: 3, background: 'red' } })
    .png()
    .toBuffer();

test('a document has no address: its text is read, but its bytes are never served', async () => {
  for (const [name, content] of [
    ['a.html', SCRIPT],
    ['a.md', SCRIPT],
    ['a.txt', SCRIPT],
    ['a.csv', `a,b\n${SCRIPT},1`],
  ] as const) {
    const { file } = await ada.file.upload({ organizationId, media: new File([content], name) });
    const { idToken } = await product.sessionOf('ada');
    const authorization = `Bearer ${idToken}`;
    for (const path of ['files', 'images', 'v1/file', 'v1/files', 'uploads', 'storage', 'data/files']) {
      const url = `${product.url}/${path}/${file.id}`;
      expect([path, (await fetch(url, { headers: { authorization } })).status]).toEqual([path, 404]);
      // At most, a browser sees our own page for unknown addresses.
      const shown = await fetch(url, { headers: { authorization, accept: 'text/html' } });
      expect(await shown.text()).not.toContain('alert(document.domain)');
    }
  }
});

test.each([
  ['SVG', `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${SCRIPT}</svg>`],
  ['HTML', `<!doctype html>${SCRIPT}`],
  ['XHTML', `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${SCRIPT}</html>`],
  ['XML with a style sheet', '<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#a"?><a/>'],
  ['a PDF with a script', '%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj'],
])('%s is not a picture, whatever its name', async (_what, content) => {
  const { uid } = (await product.sessionOf('ada')).user;
  for (const name of ['a.png', 'a.svg', 'a.webp']) {
    const media = new File([content], name, { type: 'image/png' });
    await expect(ada.user.uploadPhoto({ uid, media })).rejects.toMatchObject({ status: 415 });
    await expect(ada.organization.uploadPhoto({ id: organizationId, media })).rejects.toMatchObject({
      status: 415,
    });
  }
});

test('a picture is re-encoded, and its address can only display it', async () => {
  const { uid } = (await product.sessionOf('ada')).user;
  const media = new File([new Uint8Array(Buffer.concat([await pixels(), Buffer.from(SCRIPT)]))], 'a.png');
  const { user } = await ada.user.uploadPhoto({ uid, media });
  const response = await fetch(product.url + user.profilePhoto, { headers: { accept: 'text/html' } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/webp');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  expect(response.headers.get('set-cookie')).toBeNull();
  expect(Buffer.from(await response.arrayBuffer()).includes('<script')).toBe(false);
  for (const tail of ['.html', '.svg', '/../x', '%00.html', '?type=text/html'])
    expect(
      (await fetch(`${product.url}${user.profilePhoto}${tail}`)).headers.get('content-type'),
    ).not.toContain('html');
});

test('a conversation’s file is served as data inside JSON, never as a page', async () => {
  const { chatbot } = await ada.chatbot.create({ organizationId, name: 'Helper' });
  const { id } = (await ada.chat.create({ chatbotId: chatbot.id })).conversation;
  const { idToken } = await product.sessionOf('ada');
  const headers = { authorization: `Bearer ${idToken}`, accept: 'text/html' };
  for (const name of ['a.html', 'a.txt']) {
    const { attachment } = await ada.attachment.add({ id, media: new File([`<p>Hello</p>${SCRIPT}`], name) });
    const response = await fetch(`${product.url}/v1/chat/${id}/attachment/${attachment.id}`, { headers });
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await response.text()).not.toContain('<script>');
  }
});
