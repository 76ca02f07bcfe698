import { AppError } from '../../../app-error.ts';
import type { Deps } from '../../../deps.ts';
import type { StoredTool } from '../store.ts';
import type { Proof } from './authenticate.ts';
import { Tokens } from './tokens.ts';

export interface Proofs {
  /** With the secrets that must not be seen anywhere. Errors: `tool/secret-needed`, those of getting a token. */
  of: (tool: StoredTool) => Promise<{ proof: Proof; secrets: string[] }>;
  /** The service has refused it: the next one is made anew. */
  forget: (tool: StoredTool) => void;
}

export function createProofs({ services, vault }: Pick<Deps, 'services' | 'vault'>): Proofs {
  const tokens = new Tokens(services);
  return {
    of: async (tool) => {
      const { authentication } = tool;
      if (authentication.type === 'none') return { proof: { authentication, credential: '' }, secrets: [] };
      if (tool.secret === null) throw new AppError('tool/secret-needed', 'The tool has no secret yet.');
      const secret = vault.decrypt(tool.secret, tool.id);
      const credential =
        authentication.type === 'oauth2' ? await tokens.of(keyOf(tool), authentication, secret) : secret;
      return { proof: { authentication, credential }, secrets: [secret] };
    },
    forget: (tool) => tokens.forget(keyOf(tool)),
  };
}

/** Another one when the tool has changed, or is about to. */
function keyOf({ id, updatedAt, secret }: StoredTool): string {
  return `${id} ${updatedAt.getTime()} ${secret}`;
}
