import type { FastifyInstance } from 'fastify';
import type { OperationsConfig } from '../config/operations.ts';
import type { Log } from '../log.ts';

/** Of kinds and numbers: never a text that somebody wrote, an address that was asked for, or a secret. */
export type Attributes = Record<string, string | number | boolean>;

export type Note = (attributes: Attributes) => void;

/** Where the time of a request and of an answer goes. */
export interface Traces {
  /** Does `work` as a part of what is under way. What it throws goes on; the span says only that something was thrown. */
  span: <T>(name: string, work: (note: Note) => Promise<T>, attributes?: Attributes) => Promise<T>;
  /**
   * From here on every request is a span; before any route is added. A request is a part of another's trace only when that other is a
   * trusted proxy.
   */
  follow: (http: FastifyInstance, isTrustedProxy: (address: string) => boolean) => void;
  /** Sends what is left. */
  close: () => Promise<void>;
}

const ignore = (): void => undefined;

export const nothingTraced: Traces = {
  span: (_name, work) => work(ignore),
  follow: ignore,
  close: async () => undefined,
};

/** Without a collector nothing is traced, and the libraries are not read. */
export async function openTraces({ traces }: Pick<OperationsConfig, 'traces'>, log: Log): Promise<Traces> {
  if (!traces) return nothingTraced;
  const { tracesTo } = await import('./open-telemetry.ts');
  return tracesTo(traces, log);
}
