import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { MessageState } from '../../contract/chat.ts';

/** How an answer ended, in the words of its message, or that it was refused for want of knowledge. */
export interface AnswerFigures {
  outcome: MessageState | 'refused';
  /** Of the model that answered: its provider. */
  provider: string;
  firstTokenMs: number | null;
  totalMs: number;
  inputTokens: number | null;
  outputTokens: number | null;
}

/** What is looked at when somebody asks for the figures, so that nothing is counted for nobody. */
export interface Looks {
  pools: Record<string, Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>>;
  /** Of PostgreSQL's own rows, for the queue. */
  owner: pg.Pool;
  sockets: () => number;
  /** Requests that were told to come again because more came than could be done. */
  refused: () => number;
  /** Accounts at providers that are left alone for a while. */
  resting: () => { installation: string[]; organizations: number };
}

/** Counts what happens, for who watches over an installation. Labels name no organization, no agent and no person. */
export interface Metrics {
  answered: (answer: AnswerFigures) => void;
  /** A model of this provider was asked and did not answer. */
  modelFailed: (model: string) => void;
  /** Somebody has waited for so long for a connection to the database. */
  waited: (ms: number) => void;
  /** From here on every request is counted; before any route is added. */
  count: (http: FastifyInstance) => void;
  /** From here on these are looked at. */
  look: (looks: Looks) => void;
  /** All figures as Prometheus reads them. */
  text: () => Promise<string>;
}

/** Names of providers are few; what else stands in their place is one more. */
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

/** Without a token nobody can ask for figures, so none are kept, and their library is not read. */
export async function createMetrics(token: string | undefined): Promise<Metrics> {
  if (token === undefined) return nobodyCounts;
  const { prometheusMetrics } = await import('./prometheus.ts');
  return prometheusMetrics();
}
