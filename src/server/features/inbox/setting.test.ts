import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';

/** When people answer, and what is said when they don't. */

let product: Product;
let ada: TestClient;
let organizationId: string;
let agentId: string;

beforeAll(async () => {
  product = await startProduct();
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  await ada.chatbot.update({ id: agentId, organizationId, isPublic: true });
});
afterAll(() => product.close());

test('two people’s changes of different settings are both kept', async () => {
  const officeHours = { timeZone: 'UTC', days: Array.from({ length: 7 }, () => null) };
  await Promise.all([
    ada.inbox.setSetting({ organizationId, officeHours }),
    ada.inbox.setSetting({ organizationId, awayMessage: 'Back soon.' }),
  ]);
  const changed = { officeHours, awayMessage: 'Back soon.', notify: 'all' };
  const { setting } = await ada.inbox.setSetting({ organizationId, notify: 'all' });
  expect(setting).toEqual(changed);
  expect((await ada.inbox.setSetting({ organizationId })).setting).toEqual(changed);
});

test('an end user who asks outside office hours is told so', async () => {
  const closed = Array.from({ length: 7 }, () => null);
  const setting = {
    officeHours: { timeZone: 'Europe/Lisbon', days: closed },
    awayMessage: 'Back on Monday.',
  };
  await ada.inbox.setSetting({ organizationId, ...setting, notify: 'managers' });
  const bob = product.as('bob', 'guest');
  const { id } = (await bob.chat.create({ chatbotId: agentId })).conversation;
  const read = async () => {
    const { handling, notice } = await bob.chat.listMessages({ id });
    return { handling, notice };
  };
  expect(await read()).toEqual({ handling: 'bot', notice: null });
  const told = { handling: 'waiting', notice: 'Back on Monday.' };
  expect(await bob.handover.ask({ id })).toEqual(told);
  // Whoever comes back is told as well, as long as it is so.
  expect(await read()).toEqual(told);
  const open = Array.from({ length: 7 }, () => ({ from: '00:00', to: '23:59' }));
  const always = { timeZone: 'UTC', days: open };
  await ada.inbox.setSetting({ organizationId, officeHours: always, awayMessage: 'x', notify: 'managers' });
  expect((await bob.handover.ask({ id })).notice).toBeNull();
  expect(await read()).toEqual({ handling: 'waiting', notice: null });
  await expect(
    ada.inbox.setSetting({
      organizationId,
      officeHours: { timeZone: 'Mars/Olympus', days: closed },
      awayMessage: '',
      notify: 'all',
    }),
  ).rejects.toMatchObject({ status: 400 });
});

test('a canned answer is edited, but not over what someone else has written meanwhile', async () => {
  const canned = { title: 'Hours', text: 'We are here from nine.' };
  const { answer } = await ada.inbox.createCanned({ organizationId, ...canned });
  const of = { organizationId, id: answer.id };
  const text = 'We are here from ten.';
  expect((await ada.inbox.updateCanned({ ...of, text, seen: canned })).answer).toEqual({ ...answer, text });
  await expect(ada.inbox.updateCanned({ ...of, text: 'From noon.', seen: canned })).rejects.toMatchObject({
    status: 409,
    errors: [{ path: 'text', now: text }],
  });
  await ada.inbox.updateCanned({ ...of, title: 'Opening hours', seen: canned });
  const now = { ...answer, title: 'Opening hours', text };
  expect((await ada.inbox.listCanned({ organizationId })).answers).toEqual([now]);
  await expect(ada.inbox.updateCanned({ ...of, title: ' ' })).rejects.toMatchObject({ status: 400 });

  // Another organization's, and one that is gone.
  const eve = product.as('eve');
  const other = (await eve.organization.create({ name: 'Other' })).organization.id;
  await expect(eve.inbox.updateCanned({ ...of, organizationId: other, text })).rejects.toMatchObject({
    status: 404,
  });
  await ada.inbox.removeCanned(of);
  await expect(ada.inbox.updateCanned({ ...of, text })).rejects.toMatchObject({ status: 404 });
  const { entries } = await ada.audit.list({ organizationId });
  expect(entries.find(({ action }) => action === 'inbox.updateCanned')).toMatchObject({
    before: { title: 'Hours' },
    after: { title: 'Opening hours' },
  });
});
