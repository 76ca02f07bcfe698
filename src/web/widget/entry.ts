import type { Visit } from '../../contract/visitor.ts';
import { report } from './report.ts';
import { connect, Refused } from './server.ts';
import type { Settings } from './settings.ts';

/** Makes the tokens by which this site's visitor chats: for who the site says they are, or else who they were last time. */
export function createEntry({ origin, agentId, userToken }: Settings) {
  const server = connect(origin, agentId);
  let refreshToken: string | null = null;
  let asked = 0;

  const visit = (): Promise<Visit | Refused> =>
    server.visit(userToken ? { userToken } : refreshToken && { refreshToken }).catch((error: Refused) => {
      report(error.message);
      return error;
    });

  return {
    visit,
    /** A page may give anything: what is no text is made one, and refused in words by who reads tokens. */
    identify(next: string | number | null) {
      userToken = next ? String(next) : null;
    },
    remember(next: string | null) {
      refreshToken = next;
    },
    /** Undefined when it has been asked anew meanwhile: the last one counts. */
    async enter(): Promise<Visit | Refused | undefined> {
      const number = ++asked;
      const answer = await visit();
      if (number !== asked) return undefined;
      // Who signs out on the site finds again what they had before they signed in.
      if (!(answer instanceof Refused)) refreshToken = answer.refreshToken ?? refreshToken;
      return answer;
    },
  };
}
