import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import type { Config } from './config.ts';

export type Log = FastifyBaseLogger;

/** Structured log on standard output; credentials are masked wherever they stand. */
export function createLog(config: Pick<Config, 'logLevel'>): Log {
  return pino({
    level: config.logLevel,
    base: null,
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
  });
}
