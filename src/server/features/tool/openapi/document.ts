import { parse as parseYaml } from 'yaml';
import { readOperations, type ReadOperation } from './operations.ts';
import type { Authentication } from '../../../../contract/tool.ts';
import { at, DocumentError, References } from './references.ts';
import { readAuthentication } from './security.ts';
import { goesElsewhere, serversOf } from './servers.ts';

/** The text of a document and of those it refers to, by address. */
export interface DocumentTexts {
  text: string;
  url: string | null;
  others: [url: string, text: string][];
}

export interface ReadService {
  title: string;
  servers: string[];
  operations: ReadOperation[];
  /** IDs of the operations that nobody can call. */
  leftOut: string[];
  /** The authentication it requires; `none` also if it is of an unsupported type. */
  authentication: Authentication;
  /** Addresses of referenced documents that are not at hand. Without them the result is incomplete. */
  missing: string[];
}

/** Enough for real documents; more means a small text that expands to a huge one. */
const YAML_ALIASES_MAX = 100;

/** Reads an OpenAPI document. Throws `DocumentError`, and anything a parser throws. */
export function readService({ text, url, others }: DocumentTexts): ReadService {
  const root = parse(text, 'The document');
  requireVersion(root);
  const documents = new Map(others.map(([address, other]) => [address, parse(other, address)]));
  const references = new References(root, documents);
  const servers = serversOf(root, url);
  const offered = readOperations({ node: at(root, 'paths'), base: url }, references, (around) =>
    goesElsewhere(around, servers, url),
  );
  const title = at(at(root, 'info'), 'title');
  return {
    title: typeof title === 'string' ? title.trim() : '',
    servers,
    ...offered,
    authentication: readAuthentication({ node: root, base: url }, references),
    missing: [...references.missing],
  };
}

function requireVersion(root: unknown): void {
  const given = at(root, 'openapi');
  // In YAML an unquoted two-part version is a number.
  const version = typeof given === 'number' ? given.toFixed(1) : given;
  if (typeof version === 'string' && /^3\.[01](\.|$)/.test(version)) return;
  const isOld = at(root, 'swagger') !== undefined;
  throw new DocumentError(
    isOld
      ? 'This is a Swagger 2 document. Convert it to OpenAPI 3.0 or 3.1.'
      : 'This is not an OpenAPI 3.0 or 3.1 document: it must start with “openapi” and its version.',
  );
}

function parse(text: string, name: string): unknown {
  try {
    if (/^\s*\{/.test(text)) return JSON.parse(text);
  } catch {
    // YAML can start with a brace as well.
    if (text.length > 1_000_000) throw new DocumentError(`${name} is no JSON that can be read.`);
  }
  try {
    return parseYaml(text, {
      maxAliasCount: YAML_ALIASES_MAX,
      // Many documents use YAML 1.1: other tools accept it.
      merge: true,
      uniqueKeys: false,
      stringKeys: true,
      prettyErrors: false,
      logLevel: 'error',
    });
  } catch {
    throw new DocumentError(`${name} is neither JSON nor YAML that can be read.`);
  }
}
