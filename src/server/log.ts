import { DrizzleQueryError } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import { pino, type DestinationStream, type LoggerOptions } from 'pino';
import type { Config } from './config.ts';

export type Log = FastifyBaseLogger;

/**
 * Structured log on standard output, or where it is said; credentials are masked wherever they stand, and of a statement that failed
 * the values are left out: they are what people said and who they are.
 */
export function createLog(config: Pick<Config, 'logLevel'>, to?: DestinationStream): Log {
  const options: LoggerOptions = {
    level: config.logLevel,
    base: null,
    serializers: { err: (error: Error) => pino.stdSerializers.err(withoutValues(error)) },
    redact: {
      paths: [
        'req.headers.authorization',
        'req.headers.cookie',
        '*.token',
        '*.idToken',
        '*.apiKey',
        '*.password',
      ],
      censor: '[masked]',
    },
  };
  return to ? pino(options, to) : pino(options);
}

function withoutValues(error: Error): Error {
  return error instanceof DrizzleQueryError && error.cause
    ? Object.assign(error.cause, { statement: error.query })
    : error;
}
