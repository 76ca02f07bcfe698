import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { AppError } from '../app-error.ts';
import { EventStream, type VisitorCaller } from '../call.ts';
import { goneSignal } from './context.ts';
import {
  chunksOf,
  Completion,
  CompletionEvents,
  completionOf,
  CompletionRequest,
  hasContent,
  ModelList,
  openaiError,
  OpenaiFailure,
  questionOf,
} from './openai-format.ts';
import { sendFailure } from './problems.ts';
import { callerByKey, type OfAgent, type ProgramOptions } from './program.ts';
import { sendEvents } from './sse.ts';

const params = z.strictObject({ id: z.string() });
const tags = ['programs'];
const completed = {
  content: {
    'application/json': { schema: Completion },
    'text/event-stream': { schema: CompletionEvents },
  },
};

const NO_SUCH_CALL =
  'An agent answers POST chat/completions and GET models; it has no other calls of OpenAI’s, such as responses.';

/**
 * Each agent as a model in OpenAI's protocol, with `/v1/agents/{id}` as the base URL and the agent's key. An answer
 * stops when its reader disconnects, as such clients expect. Errors use OpenAI's format.
 */
export async function serveOpenai(app: FastifyInstance, options: ProgramOptions): Promise<void> {
  const serve = async (scope: FastifyInstance): Promise<void> => {
    failInTheirFormat(scope);
    scope.post<OfAgent & { Body: CompletionRequest }>('/chat/completions', {
      schema: {
        operationId: 'program.createCompletion',
        summary: "Ask an agent through OpenAI's protocol",
        tags,
        params,
        body: CompletionRequest,
        response: { 200: completed, default: OpenaiFailure },
      },
      // Before validation: an unauthenticated caller learns nothing about the input. The body may name the end user, so
      // it must have been parsed.
      preValidation: async (request) => {
        const { user } = (request.body ?? {}) as { user?: unknown };
        request.caller = await callerByKey(request, options, typeof user === 'string' ? user : '');
      },
      handler: async ({ params: { id }, body, caller }, reply) => {
        const question = questionOf(body);
        const answer = await options.agents.ask(
          caller as VisitorCaller,
          { agentId: id, ...question },
          goneSignal(reply),
        );
        if (!body.stream)
          return reply.header('cache-control', 'no-store').send(await completionOf(answer, id));
        const withUsage = body.stream_options?.include_usage === true;
        return sendEvents(reply, new EventStream(chunksOf(answer, id, { withUsage }), hasContent), {});
      },
    });
    scope.get<OfAgent>('/models', {
      schema: {
        operationId: 'program.listModels',
        summary: "The agent as the only model of OpenAI's protocol",
        tags,
        params,
        response: { 200: ModelList, default: OpenaiFailure },
      },
      handler: async (request, reply) => {
        const { id } = request.params;
        const { createdAt } = await options.agents.agent(await callerByKey(request, options), id);
        const created = Math.floor(createdAt.getTime() / 1000);
        const model = { id, object: 'model' as const, created, owned_by: 'parley' };
        return reply.send({ object: 'list' as const, data: [model] });
      },
    });
  };
  await app.register(serve, { prefix: '/v1/agents/:id' });
}

/** Libraries offer more calls than an agent has, and read errors in no other format. */
function failInTheirFormat(scope: FastifyInstance): void {
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendFailure(error, request, reply, { mediaType: 'application/json', bodyOf: openaiError });
  scope.setErrorHandler(fail);
  scope.setNotFoundHandler((request, reply) => {
    const refusal = scope.refusalOf(request, reply);
    const isMissing = refusal.status === 404;
    return fail(isMissing ? new AppError(refusal.code, NO_SUCH_CALL) : refusal, request, reply);
  });
}
