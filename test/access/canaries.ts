import type { Product, TestClient } from '../product.ts';
import type { Things } from './world.ts';

/** In an agent's instructions: only for members and keys of its organization. */
export const INSTRUCTIONS_CANARY = 'CANARY-INSTRUCTIONS';

/** The operator's. */
export const PROVIDER_CANARY = 'sk-CANARY-PROVIDER';

/** Columns that hold something nobody is ever told, or a hash of it. */
const secretColumnsSql = `select table_name as table, column_name as column from information_schema.columns
  where table_schema = 'public' and column_name ~ '(_hash|tokens|credentials|secret|private_jwk|code_verifier)$'
    and data_type = 'text' and column_name not in ('content_hash', 'request_hash')`;

/** Fills what an organization keeps to itself with texts that are recognizable anywhere; returns them. */
export async function plantCanaries(
  owner: TestClient,
  { agentId: id, organizationId, toolId, webhookId }: Things,
  suffix = '',
): Promise<string[]> {
  const given = { model: `sk-CANARY-MODEL${suffix}`, tool: `CANARY-TOOL-SECRET${suffix}` };
  const customInstructions = INSTRUCTIONS_CANARY + suffix;
  await owner.chatbot.update({ id, organizationId, customInstructions });
  await owner.tool.update({ id: toolId, authentication: { type: 'bearer' }, secret: given.tool });
  const models = ['stand-in'];
  await owner.model.setProvider({ organizationId, provider: 'openai', apiKey: given.model, models });
  return [
    ...Object.values(given),
    (await owner.visitor.rotateEmbedSecret({ id })).secret,
    (await owner.apiKey.create({ organizationId, name: 'Canary', scope: 'read' })).secret,
    (await owner.insightLink.create({ agentId: id, name: 'Canary' })).token,
    (await owner.webhook.secret({ id: webhookId })).secret,
  ];
}

/** The secrets stored in the database: the number of columns, and their contents. */
export async function keptSecrets({ app }: Product): Promise<{ columns: number; values: string[] }> {
  const { owner } = app.deps.db;
  const { rows: columns } = await owner.query<{ table: string; column: string }>(secretColumnsSql);
  const kept = await Promise.all(
    columns.map(({ table, column }) =>
      owner.query<{ value: string }>(
        `select "${column}" as value from "${table}" where length("${column}") > 20`,
      ),
    ),
  );
  return { columns: columns.length, values: kept.flatMap(({ rows }) => rows.map(({ value }) => value)) };
}
