import { expect, test } from '@playwright/test';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

let server: Server;
let owner: Owner;

test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
  owner = await startOwner(server);
});
test.afterAll(() => server.remove());

test('a tab whose socket was refused, because the database was down, reconnects by itself', async ({
  page,
  context,
}) => {
  let connections = 0;
  let answers = 0;
  await page.routeWebSocket(/\/socket\.io\//, (route) => {
    connections += 1;
    if (connections > 1) {
      const server = route.connectToServer();
      server.onMessage((message) => {
        if (String(message).startsWith('40')) answers += 1;
        route.send(message);
      });
      return;
    }
    route.send('0{"sid":"none","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":100000}');
    route.onMessage((message) => {
      if (String(message).startsWith('40')) route.send('44{"message":"server/unavailable"}');
    });
  });
  await owner.signIn(context);
  await page.goto(`${owner.base}/inbox`);
  await expect.poll(() => connections).toBe(1);
  await expect.poll(() => answers, { timeout: 15_000 }).toBe(1);
});
