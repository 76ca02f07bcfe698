import type { InputOf } from '../src/contract/route.ts';
import type { member } from '../src/contract/member.ts';
import { openBrowser, tokenOf, type Browser } from './browser.ts';
import type { Product, TestClient } from './product.ts';

export interface Joined extends Browser {
  email: string;
  userId: string;
  memberId: string;
}

/** A person who was invited by email to `<name>@example.com` and has accepted in their own browser. */
export async function join(
  product: Product,
  inviter: TestClient,
  name: string,
  invite: Omit<InputOf<typeof member.invite>, 'email'>,
): Promise<Joined> {
  const email = `${name}@example.com`;
  const browser = openBrowser(product);
  await browser.signIn(email);
  return accept(inviter, { ...browser, email }, invite);
}

/** The same for an existing person. */
export async function accept(
  inviter: TestClient,
  person: Browser & { email: string },
  invite: Omit<InputOf<typeof member.invite>, 'email'>,
): Promise<Joined> {
  await inviter.member.invite({ ...invite, email: person.email });
  const inviteToken = tokenOf((await person.mailTo(person.email)).text);
  await person.client.member.answerInvite({ inviteToken, status: 'accepted' });
  const userId = (await person.refresh()).user.uid;
  const { members } = await person.client.member.list({ orgId: invite.organizationId });
  const memberId = members.find((member) => member.userId === userId)?.id ?? '';
  return { ...person, userId, memberId };
}
