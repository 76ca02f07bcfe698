import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { jobCounts } from './job-counts.ts';
import { providerOf, type AnswerFigures, type Looks, type Metrics } from './metrics.ts';

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const ANSWER_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120];
const WAIT_SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 1, 5];

/** One registry per application: its metrics are its own. */
export function prometheusMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const answered = answerMetrics(registry);
  const failures = new Counter({
    name: 'parley_provider_failures_total',
    help: 'Requests to models that failed, by provider',
    labelNames: ['provider'],
    registers: [registry],
  });
  const waits = new Histogram({
    name: 'parley_database_wait_seconds',
    help: 'How long requests waited for a connection to the database',
    buckets: WAIT_SECONDS,
    registers: [registry],
  });
  return {
    answered,
    modelFailed: (model) => failures.inc({ provider: providerOf(model) }),
    waited: (ms) => waits.observe(ms / 1000),
    count: requestMetrics(registry),
    look: (looks) => lookAt(registry, looks),
    text: () => registry.metrics(),
  };
}

function answerMetrics(registry: Registry): Metrics['answered'] {
  const registers = [registry];
  const answers = new Counter({
    name: 'parley_answers_total',
    help: 'Answers by outcome and provider',
    labelNames: ['outcome', 'provider'],
    registers,
  });
  const first = new Histogram({
    name: 'parley_answer_first_token_seconds',
    help: 'Time to the first word of an answer',
    buckets: ANSWER_SECONDS,
    registers,
  });
  const total = new Histogram({
    name: 'parley_answer_seconds',
    help: 'Time to the end of an answer',
    buckets: ANSWER_SECONDS,
    registers,
  });
  const tokens = new Counter({
    name: 'parley_answer_tokens_total',
    help: 'Tokens as counted by providers, by direction',
    labelNames: ['direction', 'provider'],
    registers,
  });
  return ({ outcome, provider, firstTokenMs, totalMs, inputTokens, outputTokens }: AnswerFigures) => {
    answers.inc({ outcome, provider });
    if (firstTokenMs !== null) first.observe(firstTokenMs / 1000);
    total.observe(totalMs / 1000);
    tokens.inc({ direction: 'input', provider }, inputTokens ?? 0);
    tokens.inc({ direction: 'output', provider }, outputTokens ?? 0);
  };
}

/** By route template: an address would identify its subject, and create as many series as there are addresses. */
function requestMetrics(registry: Registry): Metrics['count'] {
  const requests = new Counter({
    name: 'parley_http_requests_total',
    help: 'Requests by route and status',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'parley_http_request_seconds',
    help: 'Time to the end of a response; of a stream, to its last word',
    labelNames: ['method', 'route'],
    buckets: REQUEST_SECONDS,
    registers: [registry],
  });
  return (http) =>
    void http.addHook('onResponse', async (request, reply) => {
      const { method } = request;
      const route = request.routeOptions.url ?? 'none';
      requests.inc({ method, route, status: String(reply.raw.statusCode) });
      seconds.observe({ method, route }, reply.elapsedTime / 1000);
    });
}

/** A gauge or counter whose value is set when the metrics are requested. */
interface Looked {
  name: string;
  help: string;
  labelNames?: string[];
  kind?: 'counter';
  read: (set: (value: number, labels?: Record<string, string>) => void) => void | Promise<void>;
}

function lookAt(registry: Registry, { pools, owner, sockets, refused, resting }: Looks): void {
  const jobs = jobCounts(owner);
  const looked: Looked[] = [
    {
      name: 'parley_database_connections',
      help: 'Connections by pool and state',
      labelNames: ['pool', 'state'],
      read: (set) => {
        for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
          set(totalCount - idleCount, { pool, state: 'busy' });
          set(idleCount, { pool, state: 'idle' });
          set(waitingCount, { pool, state: 'waited_for' });
        }
      },
    },
    { name: 'parley_sockets', help: 'Open sockets', read: (set) => set(sockets()) },
    {
      name: 'parley_overload_refusals_total',
      help: 'Requests refused because of overload',
      kind: 'counter',
      read: (set) => set(refused()),
    },
    {
      name: 'parley_provider_resting',
      help: '1 while an account of the installation at this provider is skipped after failures',
      labelNames: ['provider'],
      read: (set) => resting().installation.forEach((provider) => set(1, { provider })),
    },
    {
      name: 'parley_organization_accounts_resting',
      help: 'Accounts of organizations at providers that are skipped after failures',
      read: (set) => set(resting().organizations),
    },
    {
      name: 'parley_jobs',
      help: 'Jobs of the whole installation by queue and state, as of a few seconds ago',
      labelNames: ['queue', 'state'],
      read: async (set) => {
        for (const { queue, state, count } of await jobs()) set(count, { queue, state });
      },
    },
  ];
  for (const one of looked) register(registry, one);
}

function register(registry: Registry, { name, help, labelNames = [], kind, read }: Looked): void {
  const options = { name, help, labelNames, registers: [registry] };
  if (kind === 'counter') {
    const counter = new Counter({
      ...options,
      collect: async () => {
        counter.reset();
        await read((value, labels = {}) => counter.inc(labels, value));
      },
    });
    return;
  }
  const gauge = new Gauge({
    ...options,
    collect: async () => {
      gauge.reset();
      await read((value, labels = {}) => gauge.set(labels, value));
    },
  });
}
