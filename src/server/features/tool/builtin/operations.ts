import { COLLECT_LEAD, HAND_OVER } from '../store.ts';
import type { ReadOperation } from '../openapi/operations.ts';

/** What comes with every installation, described as if by an OpenAPI document. None of it changes anything elsewhere. */
export const builtinOperations: ReadOperation[] = [
  builtin('currentTime', 'Tell the date and time', {
    timeZone: { type: 'string', description: 'Like Europe/Lisbon. Left out: UTC.' },
  }),
  builtin(
    'calculate',
    'Calculate',
    {
      expression: {
        type: 'string',
        description: 'Like 2 * (3 + 4) ^ 2. Functions: sqrt, round, min, max, abs, ln …',
      },
    },
    ['expression'],
  ),
  builtin(
    'readPage',
    'Read a page on the web',
    { url: { type: 'string', description: 'Its address, on one of the sites that are allowed.' } },
    ['url'],
  ),
  builtin(
    'searchKnowledge',
    'Search the knowledge once more, in other words',
    { question: { type: 'string' } },
    ['question'],
  ),
  {
    ...builtin(COLLECT_LEAD, 'Collect contact details', {}),
    // Once per conversation.
    method: 'POST',
    description:
      'Shows the person a form for their contact details, and tells what they filled in. Use it when they want to be contacted, an offer or an appointment. Do not ask for the same details in words.',
  },
  {
    ...builtin(HAND_OVER, 'Hand over to a person', {
      reason: { type: 'string', description: 'What the person wants, in one sentence.' },
    }),
    description:
      'Asks a person of the team to answer in this conversation in your place. Use it when somebody wants to talk to a person, is upset, or needs what you cannot do. Tell them afterwards what you were answered.',
  },
];

function builtin(
  id: string,
  summary: string,
  properties: Record<string, { type: 'string'; description?: string }>,
  required: string[] = [],
): ReadOperation {
  const parameters = Object.entries(properties).map(([name, { description = '' }]) => ({
    name,
    in: 'query' as const,
    required: required.includes(name),
    description,
    property: name,
    style: 'form',
    explode: true,
  }));
  const inputSchema = { type: 'object', properties, required, additionalProperties: false };
  return {
    id,
    functionName: id,
    method: 'GET',
    path: '',
    summary,
    description: summary,
    inputSchema,
    plan: { parameters, bodyType: null },
  };
}
