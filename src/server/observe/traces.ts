import type { FastifyInstance } from 'fastify';
import type { OperationsConfig } from '../config/operations.ts';
import type { Log } from '../log.ts';

/** Kinds and numbers only: never user text, a requested address, or a secret. */
export type Attributes = Record<string, string | number | boolean>;

export type Note = (attributes: Attributes) => void;

/** Shows where the time of a request and an answer goes. */
export interface Traces {
  /** Runs `work` as a child of the current span. Errors are rethrown; the span records only that something was thrown. */
  span: <T>(name: string, work: (note: Note) => Promise<T>, attributes?: Attributes) => Promise<T>;
  /**
   * Makes every request a span from now on; call before adding any route. A request joins another's trace only if that
   * other is a trusted proxy.
   */
  follow: (http: FastifyInstance, isTrustedProxy: (address: string) => boolean) => void;
  /** Sends the remaining spans. */
  close: () => Promise<void>;
}

const ignore = (): void => undefined;

export const nothingTraced: Traces = {
  span: (_name, work) => work(ignore),
  follow: ignore,
  close: async () => undefined,
};

/** Without a collector nothing is traced, and the libraries are not loaded. */
export async function openTraces({ traces }: Pick<OperationsConfig, 'traces'>, log: Log): Promise<Traces> {
  if (!traces) return nothingTraced;
  const { tracesTo } = await import('./open-telemetry.ts');
  return tracesTo(traces, log);
}
