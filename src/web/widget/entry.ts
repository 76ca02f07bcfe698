import type { Visit } from '../../contract/visitor.ts';
import { report } from './report.ts';
import { connect, Refused } from './server.ts';
import type { Settings } from './settings.ts';

/** Creates the tokens for this site's visitor: for the user the site names, otherwise for the visitor of the last time. */
export function createEntry({ origin, agentId, userToken }: Settings, onVisitor: () => void) {
  const server = connect(origin, agentId);
  let refreshToken: string | null = null;
  let visitorId: string;
  let asked = 0;

  const visit = (): Promise<Visit | Refused> =>
    server.visit(userToken ? { userToken } : refreshToken && { refreshToken }).catch((error: Refused) => {
      report(error.message);
      return error;
    });

  return {
    visit,
    /** A page may pass anything: non-text is converted to text, and whoever reads tokens rejects it with a message. */
    identify(next: string | number | null) {
      userToken = String(next || '');
    },
    remember(next: string | null) {
      refreshToken = next;
    },
    /** Undefined if it was called again meanwhile: the last call counts. */
    async enter(): Promise<Visit | Refused | undefined> {
      const number = ++asked;
      const answer = await visit();
      if (number !== asked) return undefined;
      if (!(answer instanceof Refused)) {
        // After signing out on the site, visitors find again what they had before signing in.
        refreshToken = answer.refreshToken ?? refreshToken;
        if (visitorId !== answer.visitorId) onVisitor();
        visitorId = answer.visitorId;
      }
      return answer;
    },
  };
}
