import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../test/product.ts';
import { bearing, visit } from '../../../test/visit.ts';
import { newId } from '../id.ts';
import { signPluginTicket, verifyPluginTicket } from './plugin-tickets.ts';
import { verifyIdToken } from './tokens.ts';
import { verifyVisitorToken } from './visitor-tokens.ts';

let product: Product;
let tokens: { identity: string; visitor: string; ticket: string };
let agentId: string;
beforeAll(async () => {
  product = await startProduct();
  const owner = product.as('owner');
  const organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await owner.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  const session = await product.sessionOf('owner');
  tokens = {
    identity: session.idToken,
    visitor: (await visit(product, agentId)).token,
    ticket: await signPluginTicket(product.app.deps.identity.keys, {
      sub: session.user.uid,
      plugin: newId('plugin'),
      browser: 'x',
    }),
  };
});
afterAll(() => product.close());

const verifiers = {
  identity: verifyIdToken,
  visitor: verifyVisitorToken,
  ticket: verifyPluginTicket,
};
const kinds = Object.keys(verifiers) as (keyof typeof verifiers)[];

test.each(kinds.flatMap((token) => kinds.map((as) => ({ token, as }))))(
  'a token of the kind $token used as one of the kind $as',
  async ({ token, as }) => {
    const verified = await verifiers[as](product.app.deps.identity.keys, tokens[token]);
    expect(verified === undefined).toBe(token !== as);
  },
);

test('the same claims with another header or audience are no token of another kind', async () => {
  const { keys } = product.app.deps.identity;
  const { kid, privateKey } = await keys.current();
  const claims = decodeJwt(tokens.visitor);
  const header = decodeProtectedHeader(tokens.visitor);
  const remake = (typ: string, aud: string) =>
    new SignJWT({ ...claims, sid: 'ses_x', aud })
      .setProtectedHeader({ alg: 'ES256', kid, typ })
      .sign(privateKey);
  expect(header.typ).toBe('visitor+jwt');
  const halves = [await remake('JWT', 'parley:visitor'), await remake('visitor+jwt', 'parley:identity')];
  for (const half of halves) {
    for (const kind of kinds) expect(await verifiers[kind](keys, half)).toBeUndefined();
  }
  expect(await verifyVisitorToken(keys, await remake('visitor+jwt', 'parley:visitor'))).toBeTruthy();
});

test('a visitor token from another installation, an expired one and one from the future are a 401', async () => {
  const { keys } = product.app.deps.identity;
  const { kid, privateKey } = await keys.current();
  const foreign = await generateKeyPair('ES256');
  const now = Math.floor(Date.now() / 1000);
  const remake = (iat: number, key = privateKey) =>
    new SignJWT({ ...decodeJwt(tokens.visitor), iat, exp: iat + 3600 })
      .setProtectedHeader({ alg: 'ES256', kid, typ: 'visitor+jwt' })
      .sign(key);
  await bearing(product, await remake(now)).chat.list();
  // The clocks of several servers may differ by half a minute.
  await bearing(product, await remake(now + 15)).chat.list();
  const wrong = [await remake(now - 3660), await remake(now + 600), await remake(now + 86_400)];
  for (const token of [...wrong, await remake(now, foreign.privateKey)])
    await expect(bearing(product, token).chat.list()).rejects.toMatchObject({ status: 401 });
});

test('a visitor’s token is not valid as a cookie, nor a ticket as a bearer', async () => {
  const ask = (headers: Record<string, string>) => fetch(`${product.url}/v1/chat`, { headers });
  expect((await ask({ cookie: `auth-token=${tokens.visitor}` })).status).toBe(401);
  expect((await ask({ 'id-token': tokens.visitor })).status).toBe(401);
  expect((await ask({ authorization: `Bearer ${tokens.ticket}` })).status).toBe(401);
  expect((await ask({ authorization: `Bearer ${tokens.visitor}` })).status).toBe(200);
});

test('no token accepts an invite, restores a visitor or proves an identity', async () => {
  const owner = product.as('owner');
  for (const token of Object.values(tokens))
    await expect(owner.member.getInvite({ token: token.slice(0, 128) })).rejects.toMatchObject({
      status: 404,
    });
  for (const token of Object.values(tokens)) {
    const visited = product.as('nobody', 'anonymous');
    const back = visited.visitor.authenticate({ chatbotId: agentId, refreshToken: token.slice(0, 128) });
    expect(decodeJwt((await back).token)['visitor']).not.toBe(decodeJwt(tokens.visitor)['visitor']);
    await expect(
      visited.visitor.authenticate({ chatbotId: agentId, userToken: token }),
    ).rejects.toMatchObject({ status: 401, code: 'visitor/user-token-refused' });
  }
});
