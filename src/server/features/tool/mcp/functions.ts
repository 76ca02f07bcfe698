import * as z from 'zod';
import type { JsonSchema } from '../../../db/schema/index.ts';
import { createYield } from '../../../load/yielding.ts';
import { TOOL_FUNCTION_MAX_CHARACTERS } from '../../../../contract/limits.ts';
import { Names } from '../openapi/names.ts';
import type { ReadOperation } from '../openapi/operations.ts';
import { isNode, References } from '../openapi/references.ts';
import { isStorable, SCHEMA_DEPTHS, SchemaTooLarge, SchemaWriter, storable } from '../openapi/schema.ts';

/** Malformed values count as absent; a function without a name can't be called. */
const words = z.string().optional().catch(undefined);
const ListedFunction = z.object({
  name: z.string(),
  title: words,
  description: words,
  /** A function without one takes no arguments. */
  inputSchema: z.unknown().optional(),
  annotations: z
    .object({ title: words, readOnlyHint: z.boolean().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

/**
 * One page of a server's list. The library's own schema would reject the whole list because of one function that
 * violates the protocol.
 */
export const ListedPage = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

const NAME_MAX_CHARACTERS = 200;
const SUMMARY_MAX_CHARACTERS = 200;
const DESCRIPTION_MAX_CHARACTERS = 1000;

export interface McpOffer {
  operations: ReadOperation[];
  /** Names of functions that nobody can call; empty for one without a name. */
  leftOut: string[];
  /** The last function read when there may be more; empty if it has no name. Null: all were read. */
  cutAfter: string | null;
}

/**
 * What an MCP server offers, in the form a document would give. What it says of itself decides nothing that could do
 * harm: every function asks the person until a member says otherwise. Yields to other work meanwhile.
 */
export async function mcpOffer(listed: unknown[], isCut: boolean): Promise<McpOffer> {
  const [names, yieldToOthers] = [new Names('function'), createYield()];
  const known = new Set<string>();
  const leftOut: string[] = [];
  const operations: ReadOperation[] = [];
  for (const each of listed) {
    await yieldToOthers();
    const { data: given } = ListedFunction.safeParse(each);
    const { name = '', inputSchema } = given ?? {};
    const schema = given && schemaOf(inputSchema);
    if (!schema || known.has(name) || !isName(name)) leftOut.push(plain(name, NAME_MAX_CHARACTERS));
    else {
      known.add(name);
      operations.push(operationOf(given, schema, names.take(name)));
    }
  }
  const last = ListedFunction.safeParse(listed.at(-1)).data?.name ?? '';
  return { operations, leftOut, cutAfter: isCut ? plain(last, NAME_MAX_CHARACTERS) : null };
}

/** A name it can still be called by after being stored. */
function isName(name: string): boolean {
  return name !== '' && name.length <= NAME_MAX_CHARACTERS && isStorable(name);
}

/** The read-only hint is stored so that it can be read again later. */
function operationOf(
  { name, title, description = '', annotations }: z.infer<typeof ListedFunction>,
  inputSchema: JsonSchema,
  functionName: string,
): ReadOperation {
  const told = plain(description, DESCRIPTION_MAX_CHARACTERS);
  const summary = title ?? annotations?.title ?? told.split('\n', 1)[0] ?? '';
  return {
    id: name,
    functionName,
    method: '',
    path: '',
    summary: plain(summary, SUMMARY_MAX_CHARACTERS),
    description: told,
    inputSchema,
    plan: {
      parameters: parametersOf(inputSchema),
      bodyType: null,
      ...(annotations?.readOnlyHint === true ? { onlyReads: true as const } : {}),
    },
  };
}

/** Undefined if it is more than a model can be told. */
function schemaOf(given: unknown): JsonSchema | undefined {
  for (const depth of SCHEMA_DEPTHS) {
    try {
      const writer = new SchemaWriter(new References(given, new Map()), depth);
      const schema = { properties: {}, ...writer.write({ node: given, base: null }), type: 'object' };
      return JSON.stringify(schema).length > TOOL_FUNCTION_MAX_CHARACTERS ? undefined : schema;
    } catch (error) {
      // A dangling reference is as useless as an infinite schema.
      if (!(error instanceof SchemaTooLarge)) return undefined;
    }
  }
  return undefined;
}

function parametersOf({ properties, required }: JsonSchema) {
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(isNode(properties) ? properties : {}).map(([name, schema]) => ({
    name,
    in: 'body' as const,
    required: needed.includes(name),
    description: isNode(schema) && typeof schema['description'] === 'string' ? schema['description'] : '',
    property: name,
    style: 'json',
    explode: true,
  }));
}

/** In a form the database can hold. */
function plain(text: string, maxCharacters: number): string {
  return storable(text.trim(), maxCharacters);
}
