import type { PublicAgent } from '../../contract/chatbot.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Visit } from '../../contract/visitor.ts';
import { t } from './text.ts';

/** The server's reason for refusing; `server/unavailable` if there was no response. */
export class Refused extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, detail = t('widget.failed')) {
    super(detail);
    this.code = code;
  }
}

/** The two calls made by the site's own page, so that the server learns from the browser which site it is. */
export function connect(origin: string, agentId: string) {
  return {
    readAgent: (): Promise<{ agent: PublicAgent }> =>
      ask(`${origin}/v1/agent/${encodeURIComponent(agentId)}`),
    visit: (given: { userToken: string } | { refreshToken: string } | null | ''): Promise<Visit> =>
      ask(`${origin}/v1/chat/authenticate`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ chatbotId: agentId, ...given }),
      }),
  };
}

async function ask<T>(url: string, init?: RequestInit): Promise<T> {
  try {
    const response = await fetch(url, { ...init, credentials: 'omit' });
    const answer = (await response.json()) as T & { code?: ErrorCode; detail?: string };
    if (response.ok) return answer;
    throw new Refused(answer.code ?? 'server/error', answer.detail);
  } catch (error) {
    throw error instanceof Refused ? error : new Refused('server/unavailable');
  }
}
