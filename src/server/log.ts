import { DrizzleQueryError } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import { pino, type DestinationStream } from 'pino';
import type { Config } from './config/config.ts';
import { masking, secretsOf } from './mask.ts';

export type Log = FastifyBaseLogger;

/**
 * A structured log on standard output, or at the given destination, one event per line. Credentials are masked wherever
 * they occur, including in library error messages. The values of failed statements are left out: they are what people
 * said and who they are.
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
