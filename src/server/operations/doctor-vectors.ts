import type pg from 'pg';
import type { Config } from '../config/config.ts';
import {
  LARGE_AGENT,
  listIndexes,
  readExtension,
  type Extension,
  type VectorIndex,
} from '../db/vector-extension.ts';
import { ok, warning, type Finding } from './findings.ts';

const LARGE = `${LARGE_AGENT.toLocaleString('en')} passages`;

/** How agents with very many passages are searched by vector; reports nothing if there are no vectors. */
export async function lookAtVectors(
  { embedding }: Pick<Config, 'embedding'>,
  client: pg.ClientBase,
): Promise<Finding[]> {
  if (!embedding) return [];
  const { rows } = await client.query(
    'select from index_block group by agent_id having sum(chunk_count) > $1',
    [LARGE_AGENT],
  );
  return [
    findingOf({
      large: rows.length,
      indexes: await listIndexes(client),
      extension: await readExtension(client),
    }),
  ];
}

interface Seen {
  /** Agents. */
  large: number;
  indexes: VectorIndex[];
  extension: Pick<Extension, 'version' | 'isUsable' | 'isToBeHad'>;
}

export function findingOf({ large, indexes, extension }: Seen): Finding {
  if (indexes.some(({ isValid }) => isValid) && extension.isUsable)
    return ok(`Agents with more than ${LARGE} are searched by an index over vectors.`);
  if (large === 0) return ok(`No agent has more than ${LARGE}: all vectors are compared.`);
  const agents = `${large} ${large === 1 ? 'agent has' : 'agents have'} more than ${LARGE}, and all vectors are compared`;
  if (extension.isUsable)
    return warning(`${agents}: the index is made when the passages have vectors and a worker runs.`);
  if (extension.isToBeHad)
    return warning(
      `${agents}: if the index does not come, an administrator runs CREATE EXTENSION vector in the database.`,
    );
  const found = extension.version === undefined ? 'has none' : `has ${extension.version}`;
  return warning(`${agents}: an index needs pgvector 0.8 or newer, and the server ${found}.`);
}
