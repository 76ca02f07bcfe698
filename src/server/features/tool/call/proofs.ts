import { AppError } from '../../../app-error.ts';
import type { Deps } from '../../../deps.ts';
import type { StoredTool } from '../store.ts';
import type { Proof } from './authenticate.ts';
import { Tokens } from './tokens.ts';

/** Tokens of end users for a tool, from `createAccounts`. Errors: `tool/account-needed`, `egress/failed`. */
export interface PersonalTokens {
  tokenOf: (tool: StoredTool, userId: string) => Promise<string>;
  renew: (tool: StoredTool, userId: string, refused: string) => Promise<string>;
}

export interface Proven {
  proof: Proof;
  /** What must never be visible. */
  secrets: string[];
}

export interface Proofs {
  /** For this person's calls; undefined: nobody's. Errors: `tool/secret-needed`, and those of getting a token. */
  of: (tool: StoredTool, userId: string | undefined) => Promise<Proven>;
  /** A replacement for one the service has refused; undefined if there can be none. Errors: those of `of`. */
  another: (tool: StoredTool, userId: string | undefined, refused: Proof) => Promise<Proven | undefined>;
}

export function createProofs(
  { services, vault }: Pick<Deps, 'services' | 'vault'>,
  personal: PersonalTokens,
): Proofs {
  const tokens = new Tokens(services);

  const of: Proofs['of'] = async (tool, userId) => {
    const { authentication } = tool;
    if (authentication.type === 'none') return { proof: { authentication, credential: '' }, secrets: [] };
    const secret = tool.secret === null ? '' : vault.decrypt(tool.secret, tool.id);
    const secrets = secret === '' ? [] : [secret];
    if (authentication.type === 'authorizationCode') {
      const credential = await personal.tokenOf(tool, personIn(userId));
      return { proof: { authentication, credential }, secrets };
    }
    if (tool.secret === null) throw new AppError('tool/secret-needed', 'The tool has no secret yet.');
    const credential =
      authentication.type === 'oauth2' ? await tokens.of(keyOf(tool), authentication, secret) : secret;
    return { proof: { authentication, credential }, secrets };
  };

  return {
    of,
    another: async (tool, userId, { authentication: { type }, credential }) => {
      if (type === 'oauth2') tokens.forget(keyOf(tool));
      else if (type === 'authorizationCode') await personal.renew(tool, personIn(userId), credential);
      else return undefined;
      return of(tool, userId);
    },
  };
}

function personIn(userId: string | undefined): string {
  if (userId === undefined) throw new AppError('tool/account-needed', 'No one’s account is used here.');
  return userId;
}

/** Changes when the tool has changed, or is about to. */
function keyOf({ id, updatedAt, secret }: StoredTool): string {
  return `${id} ${updatedAt.getTime()} ${secret}`;
}
