import * as z from 'zod';
import { name, text, WebAddress } from '../../../contract/common.ts';
import { LeadForm } from '../../../contract/lead.ts';
import {
  TOOL_FUNCTION_MAX_CHARACTERS,
  TOOL_NAME_MAX_CHARACTERS,
  TOOL_RESULT_MAX_CHARACTERS,
  TOOL_SITES_MAX,
} from '../../../contract/limits.ts';
import {
  Authentication,
  callPolicies,
  parameterPlaces,
  toolKinds,
  ToolSite,
  toolStatuses,
} from '../../../contract/tool.ts';
import type { JsonSchema } from '../../db/schema/index.ts';
import { Line, Place } from './format.ts';

/** What an agent's file contains of its tools: everything but secrets. */

export const Tool = z.strictObject({
  kind: z.enum(toolKinds),
  name: name(TOOL_NAME_MAX_CHARACTERS),
  status: z.enum(toolStatuses),
  serverUrl: WebAddress.nullable(),
  servers: z.array(WebAddress).max(100),
  documentUrl: WebAddress.nullable(),
  hasDocument: z.boolean(),
  authentication: Authentication,
  /** It had one where the agent came from; it has to be entered again here. */
  hasSecret: z.boolean(),
  hosts: z.array(ToolSite).max(TOOL_SITES_MAX),
  form: LeadForm,
});
export type Tool = z.infer<typeof Tool>;

const Parameter = z.strictObject({
  name: Line,
  property: Line,
  in: z.enum(parameterPlaces),
  required: z.boolean(),
  description: Line,
  style: text(200),
  explode: z.boolean(),
});

/** A mask can be longer than what it hides. */
const Fixture = text(4 * TOOL_RESULT_MAX_CHARACTERS);
const SCHEMA_DEPTH_MAX = 100;
const Schema = z.custom<JsonSchema>(isSchema, 'Must be a JSON schema that can be stored.');

export const Operation = z.strictObject({
  tool: Place,
  id: text(500, 1),
  /** Accepted as a name by every model provider. */
  functionName: text(64, 1).regex(/^[a-z][\w-]*$/i),
  method: z.enum(['', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: Line,
  summary: Line,
  description: Line,
  inputSchema: Schema,
  plan: z.strictObject({
    parameters: z.array(Parameter).max(10_000),
    bodyType: text(200).nullable(),
    onlyReads: z.literal(true).optional(),
  }),
  enabled: z.boolean(),
  policy: z.enum(callPolicies),
  fixture: Fixture.nullable(),
});
export type Operation = z.infer<typeof Operation>;

function isSchema(value: unknown): boolean {
  const isNode = typeof value === 'object' && value !== null && !Array.isArray(value);
  return (
    isNode &&
    isStorable(value, SCHEMA_DEPTH_MAX) &&
    JSON.stringify(value).length <= TOOL_FUNCTION_MAX_CHARACTERS
  );
}

/** Text that the database can hold, and no deeper nesting than this. */
function isStorable(value: unknown, depth: number): boolean {
  if (depth < 0) return false;
  if (typeof value === 'string') return !value.includes('\u0000') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, child]) => isStorable(key, 0) && isStorable(child, depth - 1));
}
