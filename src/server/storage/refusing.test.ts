import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../test/product.ts';
import { examine } from '../operations/doctor.ts';
import { startS3, type LocalS3 } from '../../../test/stand-ins/s3.ts';
import { textOf, tusOf } from '../../../test/tus.ts';

/** A store that denies us access: a changed key, a policy, an unpaid bill. */

let s3: LocalS3;
let product: Product;
let ada: TestClient;
let organizationId: string;
let conversationId: string;
const logged: string[] = [];

beforeAll(async () => {
  s3 = await startS3();
  product = await startProduct({ storageUrl: s3.url, logLevel: 'warn' }, { logged });
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  const { chatbot } = await ada.chatbot.create({ organizationId, name: 'Helper' });
  conversationId = (await ada.chat.create({ chatbotId: chatbot.id })).conversation.id;
});
afterAll(async () => {
  await product.close();
  await s3.close();
});
beforeEach(() => {
  s3.state = 'well';
  logged.length = 0;
});

const media = () => new File(['Nine to five.'], 'hours.txt', { type: 'text/plain' });
const refused = { status: 503, code: 'server/unavailable', message: expect.stringContaining('Try again') };

async function rowsOf(table: 'attachment' | 'file'): Promise<number> {
  const { rows } = await product.app.deps.db.owner.query(`select 1 from ${table}`);
  return rows.length;
}

test('while the store refuses, affected calls are a 503 without leaving a row, and work again afterwards', async () => {
  const { attachment } = await ada.attachment.add({ id: conversationId, media: media() });
  const [attachments, files] = [await rowsOf('attachment'), await rowsOf('file')];
  s3.state = 'closed';
  await expect(ada.file.upload({ organizationId, media: media() })).rejects.toMatchObject(refused);
  await expect(ada.attachment.add({ id: conversationId, media: media() })).rejects.toMatchObject(refused);
  const reading = { id: conversationId, attachmentId: attachment.id };
  await expect(ada.attachment.content(reading)).rejects.toMatchObject(refused);
  expect([await rowsOf('attachment'), await rowsOf('file')]).toEqual([attachments, files]);
  // What needs no file works as before.
  await ada.chat.send({ id: conversationId, text: 'Are you there?' });
  s3.state = 'well';
  await ada.file.upload({ organizationId, media: media() });
  expect((await ada.attachment.content(reading)).data).toContain('base64');
});

test('while the store fails, whoever sends or opens a file reads so within a minute', async () => {
  const { attachment } = await ada.attachment.add({ id: conversationId, media: media() });
  s3.state = 'busy';
  const start = performance.now();
  const away = { ...refused, message: 'File storage cannot be reached right now. Try again in a moment.' };
  await Promise.all([
    expect(ada.file.upload({ organizationId, media: media() })).rejects.toMatchObject(away),
    expect(ada.attachment.add({ id: conversationId, media: media() })).rejects.toMatchObject(away),
    expect(ada.attachment.content({ id: conversationId, attachmentId: attachment.id })).rejects.toMatchObject(
      away,
    ),
  ]);
  expect(performance.now() - start).toBeLessThan(60_000);
});

test('the log has the store’s error, and the caller does not see it', async () => {
  s3.state = 'closed';
  const told = await ada.file.upload({ organizationId, media: media() }).catch((error: unknown) => error);
  expect(JSON.stringify(told) + String(told)).not.toMatch(/denied|\b403\b|STORAGE_URL/i);
  expect(logged.join('')).toContain('The store of STORAGE_URL answered 403 AccessDenied: Access Denied');
});

test('parley doctor reports the store’s error, or that it is unreachable, without a long wait', async () => {
  s3.state = 'closed';
  const doctor = async (): Promise<string> => {
    const lines: string[] = [];
    expect(await examine(product.app.deps.config, (line) => void lines.push(line))).toBe(1);
    return lines.find((line) => line.startsWith('ERROR')) ?? '';
  };
  expect(await doctor()).toContain('answered 403 AccessDenied');
  s3.state = 'broken';
  expect(await doctor()).toContain('cannot be reached right now');
});

test('an upload in pieces resumes where it was when the store accepts files again', async () => {
  const tus = tusOf(product, 'ada');
  const data = textOf(300_000);
  const id = await tus.begin(organizationId, data.length);
  s3.state = 'closed';
  const answer = await tus.patch(id, 0, data);
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('30');
  s3.state = 'well';
  expect(await tus.offset(id)).toBe(0);
  expect((await tus.patch(id, 0, data)).status).toBe(204);
  s3.state = 'closed';
  await expect(ada.file.finish({ uploadId: id })).rejects.toMatchObject(refused);
  s3.state = 'well';
  expect((await ada.file.finish({ uploadId: id })).file.sizeBytes).toBe(data.length);
});
