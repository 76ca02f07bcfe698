import { DrizzleQueryError } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import { pino, type DestinationStream } from 'pino';
import type { Config } from './config/config.ts';
import { masking, secretsOf } from './mask.ts';

export type Log = FastifyBaseLogger;

/**
 * Structured log on standard output, or where it is said, a line an event; credentials are masked wherever they stand, also in the
 * words of an error of a library, and of a statement that failed the values are left out: they are what people said and who they are.
 */
export function createLog(
  config: Pick<Config, 'logLevel'> & Partial<Config>,
  to: DestinationStream = pino.destination(1),
): Log {
  const masked = masking(secretsOf(config));
  return pino(
    {
      level: config.logLevel,
      base: null,
      serializers: { err: (error: Error) => pino.stdSerializers.err(withoutValues(error)) },
    },
    { write: (line: string) => to.write(masked(line)) },
  );
}

function withoutValues(error: Error): Error {
  return error instanceof DrizzleQueryError && error.cause
    ? Object.assign(error.cause, { statement: error.query })
    : error;
}
