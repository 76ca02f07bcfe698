import * as z from 'zod';
import { number, secretText, webAddress } from './values.ts';

/** The part of the environment that says how an installation is operated. */
export const operationsEnvironment = {
  METRICS_TOKEN: secretText(16).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress('http://collector:4318').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().default(''),
  OTEL_SERVICE_NAME: z.string().default('parley'),
  SECRET_KEY_PREVIOUS: secretText(32).optional(),
  DRAIN_SECONDS: number(0, 3600).default(0),
};

export interface OperationsConfig {
  /** With it `/metrics` is answered; undefined: there is no such page. */
  metricsToken: string | undefined;
  /** Undefined: nothing is traced. */
  traces: { endpoint: string; headers: Record<string, string>; service: string } | undefined;
  /** What was sealed under it is still read; see `parley rotate-secret`. */
  secretKeyPrevious: string | undefined;
  /** For so long a server that is told to stop serves on, as not ready. */
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

/** As OpenTelemetry writes them: `name=value,name=value`, values percent-encoded. */
function headersOf(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
