import { VISITOR_TOKEN_LIFETIME_SECONDS } from '../../contract/limits.ts';
import type { VisitorCaller } from '../call.ts';
import type { SigningKeys } from './keys.ts';
import { signToken, verifyToken, type TokenKind } from './signed-tokens.ts';

const VISITOR_TOKEN: TokenKind = {
  typ: 'visitor+jwt',
  audience: 'parley:visitor',
  lifetimeSeconds: VISITOR_TOKEN_LIFETIME_SECONDS,
  required: ['sub', 'visitor', 'agent', 'organization'],
};

/** Which agent is visited by whom, and from which site; the token grants nothing else. */
export type Visitor = Omit<VisitorCaller, 'kind'>;

interface VisitorClaims {
  sub: string;
  visitor: string;
  agent: string;
  organization: string;
  site: string | null;
  named: boolean;
}

export async function signVisitorToken(
  keys: SigningKeys,
  { userId, visitorId, agentId, organizationId, site, isNamed }: Visitor,
): Promise<{ token: string; expiresAt: Date }> {
  return signToken(keys, VISITOR_TOKEN, {
    sub: userId,
    visitor: visitorId,
    agent: agentId,
    organization: organizationId,
    site: site ?? null,
    named: isNamed,
  });
}

/** Undefined for anything but an unexpired visitor token of this installation. */
export async function verifyVisitorToken(
  keys: SigningKeys,
  token: string,
): Promise<VisitorCaller | undefined> {
  const claims = await verifyToken<VisitorClaims>(keys, VISITOR_TOKEN, token);
  return (
    claims && {
      kind: 'visitor',
      userId: claims.sub,
      visitorId: claims.visitor,
      agentId: claims.agent,
      organizationId: claims.organization,
      site: claims.site ?? undefined,
      isNamed: claims.named,
      byKey: false,
    }
  );
}
