import { AsyncLocalStorage } from 'node:async_hooks';
import {
  defaultTextMapGetter,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import packageJson from '../../../package.json' with { type: 'json' };
import type { OperationsConfig } from '../config/operations.ts';
import type { Log } from '../log.ts';
import type { Traces } from './traces.ts';

/** An unresponsive collector blocks nobody, and delays a stop no longer than this. */
const EXPORT_TIMEOUT_MS = 5000;
/** Often enough to inspect a request just made. */
const EXPORT_EVERY_MS = 2000;

/**
 * Sends spans to a collector by OTLP over HTTP. One provider per application and nothing global: the current context is
 * kept here.
 */
export function tracesTo(
  { endpoint, headers, service }: NonNullable<OperationsConfig['traces']>,
  log: Log,
): Traces {
  diag.setLogger(diagnosticsTo(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`,
    headers,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': service,
      'service.version': packageJson.version,
    }),
    spanProcessors: [
      new BatchSpanProcessor(exporter, {
        scheduledDelayMillis: EXPORT_EVERY_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('parley');
  const underWay = new AsyncLocalStorage<Context>();
  return {
    span: (name, work, attributes = {}) => {
      const parent = underWay.getStore() ?? ROOT_CONTEXT;
      const span = tracer.startSpan(name, { attributes }, parent);
      const note = (more: typeof attributes): void => void span.setAttributes(more);
      return underWay.run(trace.setSpan(parent, span), () => ended(span, () => work(note)));
    },
    follow: (http, isTrustedProxy) => followRequests(http, { tracer, underWay, isTrustedProxy }),
    close: () => provider.shutdown().catch(() => undefined),
  };
}

/** The error is in the log; its message may contain user text. */
async function ended<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

interface Following {
  tracer: Tracer;
  underWay: AsyncLocalStorage<Context>;
  isTrustedProxy: (address: string) => boolean;
}

function followRequests(http: FastifyInstance, { tracer, underWay, isTrustedProxy }: Following): void {
  const contexts = new WeakMap<FastifyRequest, Context>();
  const propagator = new W3CTraceContextPropagator();
  http.addHook('onRequest', async (request) => {
    const route = request.routeOptions.url ?? 'none';
    const parent = isTrustedProxy(request.socket.remoteAddress ?? '')
      ? propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter)
      : ROOT_CONTEXT;
    const span = tracer.startSpan(
      `${request.method} ${route}`,
      {
        kind: SpanKind.SERVER,
        attributes: { 'http.request.method': request.method, 'http.route': route },
      },
      parent,
    );
    contexts.set(request, trace.setSpan(parent, span));
  });
  // Reading a body loses the current context, so it is entered here.
  http.addHook('preValidation', (request, _reply, done) => {
    const context = contexts.get(request);
    if (context) underWay.run(context, done);
    else done();
  });
  http.addHook('onResponse', async (request, reply) => {
    const span = trace.getSpan(contexts.get(request) ?? ROOT_CONTEXT);
    const status = reply.raw.statusCode;
    span?.setAttribute('http.response.status_code', status);
    if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  });
}

/** Export failures are logged once in a while, not printed to the terminal. */
function diagnosticsTo(log: Log) {
  const say = (message: string): void => log.warn({ traces: message.slice(0, 200) }, 'traces');
  const ignore = (): void => undefined;
  return { error: say, warn: say, info: ignore, debug: ignore, verbose: ignore };
}
