import * as z from 'zod';
import type { JsonSchema } from '../../../db/schema/index.ts';
import { TOOL_FUNCTION_MAX_CHARACTERS } from '../../../../contract/limits.ts';
import { Names } from '../openapi/names.ts';
import type { ReadOperation } from '../openapi/operations.ts';
import { isNode, References } from '../openapi/references.ts';
import { SCHEMA_DEPTHS, SchemaTooLarge, SchemaWriter } from '../openapi/schema.ts';

/** What is wrong is as if it were not said; one without a name cannot be called. */
const words = z.string().optional().catch(undefined);
const ListedFunction = z.object({
  name: z.string(),
  title: words,
  description: words,
  /** Who says none takes none. */
  inputSchema: z.unknown().optional(),
  annotations: z
    .object({ title: words, readOnlyHint: z.boolean().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

/**
 * One page of what a server lists. The library's own schema holds the whole list against a server of which one function is not as
 * the protocol has it.
 */
export const ListedPage = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

const NAME_MAX_CHARACTERS = 200;
const SUMMARY_MAX_CHARACTERS = 200;
const DESCRIPTION_MAX_CHARACTERS = 1000;

export interface McpOffer {
  operations: ReadOperation[];
  /** What nobody can call, by name; empty for what has none. */
  leftOut: string[];
  /** The last that was read of more than there may be; empty for one without a name. Null: all were. */
  cutAfter: string | null;
}

/**
 * What an MCP server offers, as if a document had told of it. What it says of itself decides nothing that could
 * do harm: all of it asks the person until a member says otherwise. That a function only reads is kept, so that it may be read again later.
 */
export function mcpOffer(listed: unknown[], isCut: boolean): McpOffer {
  const names = new Names('function');
  const known = new Set<string>();
  const leftOut: string[] = [];
  const operations = listed.flatMap((each) => {
    const { data: given } = ListedFunction.safeParse(each);
    if (!given) {
      leftOut.push('');
      return [];
    }
    const { name, title, description = '' } = given;
    const inputSchema = schemaOf(given.inputSchema);
    if (!inputSchema || known.has(name) || name === '' || name.length > NAME_MAX_CHARACTERS) {
      leftOut.push(plain(name, NAME_MAX_CHARACTERS));
      return [];
    }
    known.add(name);
    const told = plain(description, DESCRIPTION_MAX_CHARACTERS);
    return [
      {
        id: plain(name, NAME_MAX_CHARACTERS),
        functionName: names.take(name),
        method: '',
        path: '',
        summary: plain(
          title ?? given.annotations?.title ?? told.split('\n', 1)[0] ?? '',
          SUMMARY_MAX_CHARACTERS,
        ),
        description: told,
        inputSchema,
        plan: {
          parameters: parametersOf(inputSchema),
          bodyType: null,
          ...(given.annotations?.readOnlyHint === true ? { onlyReads: true as const } : {}),
        },
      },
    ];
  });
  const last = ListedFunction.safeParse(listed.at(-1)).data?.name ?? '';
  return { operations, leftOut, cutAfter: isCut ? plain(last, NAME_MAX_CHARACTERS) : null };
}

/** Undefined for more than a model can be told. */
function schemaOf(given: unknown): JsonSchema | undefined {
  for (const depth of SCHEMA_DEPTHS) {
    try {
      const writer = new SchemaWriter(new References(given, new Map()), depth);
      const schema = { properties: {}, ...writer.write({ node: given, base: null }), type: 'object' };
      return JSON.stringify(schema).length > TOOL_FUNCTION_MAX_CHARACTERS ? undefined : schema;
    } catch (error) {
      // A reference that leads nowhere is as little use as a schema without end.
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

/** As the database can hold it. */
function plain(text: string, maxCharacters: number): string {
  return text.replaceAll('\u0000', '').trim().slice(0, maxCharacters).toWellFormed();
}
