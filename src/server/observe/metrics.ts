import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { MessageState } from '../../contract/chat.ts';

/** How an answer ended, as its message state, or `refused` for lack of knowledge. */
export interface AnswerFigures {
  outcome: MessageState | 'refused';
  /** The provider of the model that answered. */
  provider: string;
  firstTokenMs: number | null;
  totalMs: number;
  inputTokens: number | null;
  outputTokens: number | null;
}

/** Read when somebody requests the metrics, so that nothing is counted for nobody. */
export interface Looks {
  pools: Record<string, Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>>;
  /** For PostgreSQL's own rows on the queue. */
  owner: pg.Pool;
  sockets: () => number;
  /** Requests told to come back later because of overload. */
  refused: () => number;
  /** Provider accounts that are left alone for a while. */
  resting: () => { installation: string[]; organizations: number };
}

/** Counts what happens, for people who monitor an installation. Labels identify no organization, agent or person. */
export interface Metrics {
  answered: (answer: AnswerFigures) => void;
  /** Call when a model of this provider was asked and did not answer. */
  modelFailed: (model: string) => void;
  /** Call when somebody has waited this long for a database connection. */
  waited: (ms: number) => void;
  /** Counts every request from now on; call before adding any route. */
  count: (http: FastifyInstance) => void;
  /** Reads these from now on. */
  look: (looks: Looks) => void;
  /** All metrics in Prometheus format. */
  text: () => Promise<string>;
}

/** Provider names are few; anything else counts as one more. */
const PROVIDERS = new Set(['openai', 'anthropic', 'google', 'compatible', 'parley']);

export function providerOf(model: string): string {
  const [provider = ''] = model.split('/');
  return PROVIDERS.has(provider) ? provider : 'none';
}

const ignore = (): void => undefined;

const nobodyCounts: Metrics = {
  answered: ignore,
  modelFailed: ignore,
  waited: ignore,
  count: ignore,
  look: ignore,
  text: async () => '',
};

/** Without a token nobody can request metrics, so none are kept, and their library is not loaded. */
export async function createMetrics(token: string | undefined): Promise<Metrics> {
  if (token === undefined) return nobodyCounts;
  const { prometheusMetrics } = await import('./prometheus.ts');
  return prometheusMetrics();
}
