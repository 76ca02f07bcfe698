import * as z from 'zod';
import { notValid } from './error.ts';
import { number, secretText, webAddress } from './values.ts';

/** The part of the environment about operating an installation. */
export const operationsEnvironment = {
  METRICS_TOKEN: secretText(16).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress('http://collector:4318').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().default(''),
  OTEL_SERVICE_NAME: z.string().default('parley'),
  SECRET_KEY_PREVIOUS: secretText(32).optional(),
  DRAIN_SECONDS: number(0, 3600).default(0),
};

export interface OperationsConfig {
  /** Enables `/metrics`; undefined: the page doesn't exist. */
  metricsToken: string | undefined;
  /** Undefined: no tracing. */
  traces: { endpoint: string; headers: Record<string, string>; service: string } | undefined;
  /** Data sealed with it can still be read; see `parley rotate-secret`. */
  secretKeyPrevious: string | undefined;
  /** How long a server that is told to stop keeps serving, while reporting not ready. */
  drainSeconds: number;
}

export function operationsOf(env: z.infer<z.ZodObject<typeof operationsEnvironment>>): OperationsConfig {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: service } = env;
  return {
    metricsToken: env.METRICS_TOKEN,
    traces:
      endpoint === undefined
        ? undefined
        : { endpoint, headers: headersOf(env.OTEL_EXPORTER_OTLP_HEADERS), service },
    secretKeyPrevious: env.SECRET_KEY_PREVIOUS,
    drainSeconds: env.DRAIN_SECONDS,
  };
}

/** In OpenTelemetry's format: `name=value,name=value`, with percent-encoded values. */
function headersOf(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value = ''] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=(.*)$/.exec(pair) ?? [];
      const sent = decoded(value.trim());
      if (name === undefined || !/^[\t -~]*$/.test(sent))
        throw notValid('OTEL_EXPORTER_OTLP_HEADERS: Must be name=value, or several separated by commas.');
      return [name, sent];
    }),
  );
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
