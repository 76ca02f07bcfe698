import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openBrowser, tokenOf, type Browser } from '../../../../test/browser.ts';
import { join } from '../../../../test/join.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { newSecret } from '../../identity/secrets.ts';

let product: Product;
let owner: TestClient;
let organizationId: string;
beforeAll(async () => {
  product = await startProduct();
  owner = product.as('owner');
});
afterAll(() => product.close());
beforeEach(async () => {
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
});

let people = 0;
function newEmail(): string {
  people += 1;
  return `person-${people}@example.com`;
}

async function signedIn(email: string): Promise<Browser> {
  const browser = openBrowser(product);
  await browser.signIn(email);
  return browser;
}

/** Invites a new person and returns what they find in their mailbox. */
async function invited(role: 'admin' | 'editor' | 'viewer' = 'editor') {
  const email = newEmail();
  const { invite } = await owner.member.invite({ organizationId, email, role });
  const person = await signedIn(email);
  await owner.member.resendInvite({ id: invite.id });
  return { email, person, invite, inviteToken: tokenOf((await person.mailTo(email)).text) };
}

const accept = ({ person, inviteToken }: { person: Browser; inviteToken: string }) =>
  person.client.member.answerInvite({ inviteToken, status: 'accepted' });

test('several people are invited at once, each by their own mail, as text and HTML', async () => {
  await owner.organization.updateProfile({ id: organizationId, name: '<b>Acme</b>' });
  const emails = [newEmail(), newEmail(), newEmail(), newEmail()];
  const [first, second, third, fourth] = emails;
  const { invite, invites } = await owner.member.invite({
    organizationId,
    email: ` ${first} , ${second}; ${third}\n${fourth},\n${first?.toUpperCase()}`,
    role: 'viewer',
  });
  expect(invites.map(({ email, status, role }) => [email, status, role])).toEqual(
    emails.map((email) => [email, 'pending', 'viewer']),
  );
  expect(invite).toEqual(invites[0]);
  expect(Date.parse(invite.expiresAt) - Date.parse(invite.createdAt)).toBe(72 * 3_600_000);
  const [one, two] = await Promise.all(emails.map((email) => openBrowser(product).mailTo(email)));
  expect(one?.subject).toBe('You are invited to <b>Acme</b>');
  expect(one?.html).toContain('&lt;b&gt;Acme&lt;/b&gt;');
  expect(one?.html).toContain(`/auth/invite?token=${tokenOf(one?.text ?? '')}`);
  expect(one?.text).toMatch(/http:\/\/localhost:\d+\/auth\/invite\?token=[\w-]{43}\n/);
  expect(tokenOf(one?.text ?? '')).not.toBe(tokenOf(two?.text ?? ''));
});

test('only a hash of the secret is stored', async () => {
  const { inviteToken } = await invited();
  const { rows } = await product.app.deps.db.owner.query<{ row: string }>(
    'select invite::text as row from invite',
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.some(({ row }) => row.includes(inviteToken))).toBe(false);
});

test('an invite shows whose it is and, masked, for whom', async () => {
  const { person, inviteToken, email } = await invited();
  const stranger = await signedIn(newEmail());
  const { invite } = await stranger.client.member.getInvite({ token: inviteToken });
  expect(invite).toEqual({
    organizationName: 'Acme',
    organizationPhoto: '/images/organization.svg',
    email: `p…@example.com`,
    role: 'editor',
    status: 'pending',
    isForMe: false,
  });
  expect(JSON.stringify(invite)).not.toContain(email);
  expect((await person.client.member.getInvite({ token: inviteToken })).invite.isForMe).toBe(true);
});

test('a person who accepts is a registered member with role and teams, named after the address', async () => {
  const { team } = await owner.team.create({ organizationId, name: 'Support' });
  const person = await join(product, owner, 'jane.doe', { organizationId, role: 'editor', teams: [team.id] });
  const session = await person.refresh();
  expect(session.user).toMatchObject({ name: 'jane.doe', isMember: true, isAnonymous: false });
  expect((await owner.member.get({ id: person.memberId })).member).toMatchObject({
    role: 'editor',
    teams: [team.id],
  });
  const { invites } = await owner.member.listInvites({ orgId: organizationId });
  expect(invites.map(({ status }) => status)).toEqual(['accepted']);
});

test('a person who declines is not a member, and the invite is used up', async () => {
  const one = await invited();
  const { inviteToken } = one;
  const answer = await one.person.client.member.answerInvite({ inviteToken, status: 'declined' });
  expect(answer).toMatchObject({ organizationId: null, invite: { status: 'declined' } });
  await expect(accept(one)).rejects.toMatchObject({ status: 410, code: 'invite/used' });
  expect((await owner.member.list({ orgId: organizationId })).members).toHaveLength(1);
});

test('an invite can be accepted once', async () => {
  const one = await invited();
  expect(await accept(one)).toMatchObject({ organizationId, invite: { status: 'accepted' } });
  await expect(accept(one)).rejects.toMatchObject({ status: 410, code: 'invite/used' });
});

test('of fifty concurrent accepts one succeeds and creates one member', async () => {
  const { person, inviteToken } = await invited();
  const { idToken } = await person.refresh();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      fetch(`${product.url}/v1/platform/member/invite/${inviteToken}`, {
        method: 'PUT',
        body: JSON.stringify({ status: 'accepted' }),
        headers: {
          authorization: `Bearer ${idToken}`,
          'content-type': 'application/json',
          'x-forwarded-for': `10.77.0.${index}`,
        },
      }),
    ),
  );
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 410)]);
  expect((await owner.member.list({ orgId: organizationId })).members).toHaveLength(2);
});

test.each([
  ['somebody else', 'other-person@example.com'],
  ['an address with a tag', 'victim+tag@example.com'],
  ['a part of the address', 'victi@example.com'],
  ['another domain', 'victim@example.com.evil.example'],
])('%s cannot accept', async (_who, email) => {
  await owner.member.invite({ organizationId, email: 'victim@example.com', role: 'admin' });
  const attacker = await signedIn(email);
  const inviteToken = tokenOf((await attacker.mailTo('victim@example.com')).text);
  for (const status of ['accepted', 'declined'] as const) {
    await expect(attacker.client.member.answerInvite({ inviteToken, status })).rejects.toMatchObject({
      status: 403,
      code: 'invite/other-email',
    });
  }
});

test('the same case-insensitive mailbox in different case is the same person', async () => {
  const email = newEmail();
  const person = await signedIn(email);
  await owner.member.invite({ organizationId, email: email.toUpperCase(), role: 'viewer' });
  await expect(
    accept({ person, inviteToken: tokenOf((await person.mailTo(email)).text) }),
  ).resolves.toBeTruthy();
});

test.each([
  'victim＠example.com',
  'vіctim@example.com',
  'victim@example.com\u0000',
  'victim@ｅxample.com',
  'victim@example。com',
])('the address %j is refused as invalid', async (email) => {
  await expect(owner.member.invite({ organizationId, email, role: 'viewer' })).rejects.toMatchObject({
    status: 400,
  });
  await expect(openBrowser(product).signIn(email)).rejects.toMatchObject({ status: 400 });
});

test('a domain with a letter that only looks alike is another domain', async () => {
  const { invite } = await owner.member.invite({
    organizationId,
    email: 'victim@exаmple.com',
    role: 'viewer',
  });
  expect(invite.email).toBe('victim@xn--exmple-4nf.com');
  const victim = await signedIn('victim@example.com');
  const { text } = await victim.mailTo(invite.email);
  await expect(accept({ person: victim, inviteToken: tokenOf(text) })).rejects.toMatchObject({
    status: 403,
    code: 'invite/other-email',
  });
});

test('an unverified address can accept nothing', async () => {
  const one = await invited();
  const { user } = await one.person.refresh();
  await product.app.deps.db.owner.query('update "user" set email_verified = false where id = $1', [user.uid]);
  await expect(accept(one)).rejects.toMatchObject({ status: 403, code: 'invite/other-email' });
});

test('a revoked, an expired and a replaced invite are void', async () => {
  const [revoked, expired, replaced] = [await invited(), await invited(), await invited()];
  await owner.member.revokeInvite({ id: revoked.invite.id });
  await expect(accept(revoked)).rejects.toMatchObject({ status: 410, code: 'invite/revoked' });
  await expect(owner.member.resendInvite({ id: revoked.invite.id })).rejects.toMatchObject({
    code: 'invite/revoked',
  });

  const past = `update invite set expires_at = now() - interval '1 second' where id = $1`;
  await product.app.deps.db.owner.query(past, [expired.invite.id]);
  await expect(accept(expired)).rejects.toMatchObject({ status: 410, code: 'invite/expired' });
  const { invites } = await owner.member.listInvites({ orgId: organizationId });
  expect(invites.find(({ id }) => id === expired.invite.id)?.status).toBe('expired');

  await owner.member.invite({ organizationId, email: replaced.email, role: 'viewer' });
  await expect(accept(replaced)).rejects.toMatchObject({ status: 404 });
  const toThem = (await owner.member.listInvites({ orgId: organizationId })).invites.filter(
    ({ email }) => email === replaced.email,
  );
  expect(toThem.map(({ status, role }) => [status, role])).toEqual([['pending', 'viewer']]);
});

test('an invite sent again has a new token and its full lifetime', async () => {
  const one = await invited();
  await product.app.deps.db.owner.query(`update invite set expires_at = now() where id = $1`, [
    one.invite.id,
  ]);
  const { invite } = await owner.member.resendInvite({ id: one.invite.id });
  expect(invite.status).toBe('pending');
  await expect(accept(one)).rejects.toMatchObject({ status: 404 });
  const inviteToken = tokenOf((await one.person.mailTo(one.email)).text);
  await expect(accept({ person: one.person, inviteToken })).resolves.toBeTruthy();
  await expect(owner.member.resendInvite({ id: one.invite.id })).rejects.toMatchObject({
    code: 'invite/used',
  });
  await expect(owner.member.revokeInvite({ id: one.invite.id })).rejects.toMatchObject({
    code: 'invite/used',
  });
});

test.each(['removed', 'demoted', 'gone by themselves'])(
  'an invite by an admin who is %s is void',
  async (fate) => {
    const admin = await join(product, owner, `admin-${fate.length}`, { organizationId, role: 'admin' });
    const email = newEmail();
    await admin.client.member.invite({ organizationId, email, role: 'admin' });
    const person = await signedIn(email);
    await admin.client.member.invite({ organizationId, email, role: 'admin' });
    const inviteToken = tokenOf((await person.mailTo(email)).text);
    if (fate === 'removed') await owner.member.remove({ id: admin.memberId });
    else if (fate === 'demoted') await owner.member.update({ id: admin.memberId, role: 'editor' });
    else await admin.client.organization.leave({ id: organizationId });
    await expect(accept({ person, inviteToken })).rejects.toMatchObject({
      status: 410,
      code: 'invite/revoked',
    });
  },
);

test('an invite of a deleted organization does not exist', async () => {
  const one = await invited();
  await product.app.deps.db.owner.query('delete from organization where id = $1', [organizationId]);
  await expect(accept(one)).rejects.toMatchObject({ status: 404 });
});

test('an address that is already a member’s is named, and nobody is invited', async () => {
  const member = await join(product, owner, 'already-there', { organizationId, role: 'viewer' });
  await expect(
    owner.member.invite({ organizationId, email: `${newEmail()},${member.email}`, role: 'viewer' }),
  ).rejects.toMatchObject({
    status: 409,
    code: 'member/exists',
    errors: [{ path: 'email', message: `${member.email} is a member already.` }],
  });
  expect((await owner.member.listInvites({ orgId: organizationId })).invites).toHaveLength(1);
});

test.each([
  ['none', ''],
  ['blanks', ' , '],
  ['no address', 'ada'],
  ['a second recipient', 'a@example.com\nbcc:b@example.com'],
  ['51 addresses', Array.from({ length: 51 }, (_, index) => `many-${index}@example.com`).join()],
])('%s is not a list of addresses', async (_what, email) => {
  await expect(owner.member.invite({ organizationId, email, role: 'viewer' })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: expect.stringMatching(/^email/) as string }],
  });
});

test('accepting takes no role, organization or address', async () => {
  const { person, inviteToken } = await invited('viewer');
  for (const field of [{ role: 'admin' }, { organizationId }, { email: 'x@example.com' }]) {
    await expect(
      person.client.member.answerInvite({ inviteToken, status: 'accepted', ...field } as never),
    ).rejects.toMatchObject({ status: 400 });
  }
});

test('tokens cannot be guessed: unknown ones are 404s, and after twenty a minute 429s', async () => {
  const { client } = openBrowser(product);
  await client.identity.signInAsGuest();
  const { idToken } = await product.sessionOf('guesser', 'guest');
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const response = await fetch(`${product.url}/v1/platform/member/invite/${newSecret()}`, {
      headers: { authorization: `Bearer ${idToken}`, 'x-forwarded-for': '10.88.0.1' },
    });
    statuses.push(response.status);
  }
  expect(statuses).toEqual([
    ...Array.from({ length: 20 }, () => 404),
    ...Array.from({ length: 20 }, () => 429),
  ]);
});

test('ten thousand tokens tried from five hundred addresses open nothing', async () => {
  const { idToken } = await product.sessionOf('guesser', 'guest');
  const { inviteToken } = await invited();
  const statuses = new Map<number, number>();
  const guess = async (attempt: number): Promise<void> => {
    const address = `10.89.${Math.floor(attempt / 5000)}.${Math.floor(attempt / 20) % 250}`;
    const response = await fetch(`${product.url}/v1/platform/member/invite/${newSecret()}`, {
      headers: { authorization: `Bearer ${idToken}`, 'x-forwarded-for': address },
    });
    await response.body?.cancel();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
  };
  for (let attempt = 0; attempt < 10_000; attempt += 20)
    await Promise.all(Array.from({ length: 20 }, (_, index) => guess(attempt + index)));
  expect([...statuses]).toEqual([[404, 10_000]]);
  // 256 bits: the token that was sent isn't among the guesses.
  expect(inviteToken).toMatch(/^[\w-]{43}$/);
});

test('an admin of another organization cannot read, send or revoke an invite by its id', async () => {
  const { invite } = await invited();
  const stranger = product.as('stranger');
  await stranger.organization.create({ name: 'Other' });
  await expect(stranger.member.resendInvite({ id: invite.id })).rejects.toMatchObject({ status: 404 });
  await expect(stranger.member.revokeInvite({ id: invite.id })).rejects.toMatchObject({ status: 404 });
  await expect(stranger.member.listInvites({ orgId: organizationId })).rejects.toMatchObject({ status: 404 });
});
