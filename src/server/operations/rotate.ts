import pg from 'pg';
import { accountOwner, answerOwner } from '../identity/sealed-owners.ts';
import type { Vault } from '../identity/secrets.ts';

/** A row with a sealed value, and what it is bound to. */
interface SealedRow {
  id: string;
  sealed: string;
  [column: string]: string | null;
}

interface SealedColumn {
  /** Its table, and the files that seal its values: a test finds files missing from this list. */
  table: string;
  sealedBy: string[];
  /** `id` identifies the row, `sealed` is the text; plus anything else its owner is made of. */
  select: string;
  /** Sets the value to $1 if the row is $2 and still holds $3. */
  update: string;
  owner: (row: SealedRow) => string;
}

const byId = ({ id }: SealedRow): string => id;

/** A dedicated column in a table whose rows are identified by `key`. */
function column(table: string, name: string, key: string, sealedBy: string[]): SealedColumn {
  return {
    table,
    sealedBy,
    select: `select ${key} as id, ${name} as sealed from ${table} where ${name} is not null`,
    update: `update ${table} set ${name} = $1 where ${key} = $2 and ${name} = $3`,
    owner: byId,
  };
}

/** Everything the vault seals. */
export const sealedColumns: SealedColumn[] = [
  column('signing_key', 'private_jwk', 'id', ['identity/keys.ts']),
  column('model_provider', 'api_key', 'id', ['features/model/handlers.ts']),
  column('plugin', 'credentials', 'id', [
    'identity/signing-secret.ts',
    'features/channel/renew.ts',
    'features/plugin/settings.ts',
    'features/plugin/twitter.ts',
  ]),
  column('agent_access', 'embed_secret', 'agent_id', ['features/visitor/handlers.ts']),
  column('tool', 'secret', 'id', ['features/tool/save.ts']),
  {
    table: 'tool_account',
    sealedBy: ['features/tool/account/sealed-tokens.ts'],
    select: `select account.id, account.tokens as sealed, tool.server_url,
                    tool.authentication->>'tokenUrl' as token_url, tool.authentication->>'clientId' as client_id
               from tool_account account join tool on tool.id = account.tool_id`,
    update: 'update tool_account set tokens = $1 where id = $2 and tokens = $3',
    owner: ({ id, server_url, token_url, client_id }) =>
      accountOwner(id, {
        serverUrl: server_url ?? null,
        tokenUrl: token_url ?? null,
        clientId: client_id ?? null,
      }),
  },
  {
    table: 'idempotency_key',
    sealedBy: ['http/idempotency.ts'],
    select: `select json_build_array(user_id, key)::text as id, answer->>'sealed' as sealed, user_id, key
               from idempotency_key where answer is not null`,
    update: `update idempotency_key set answer = jsonb_build_object('sealed', $1::text)
              where user_id = $2::json->>0 and key = $2::json->>1 and answer->>'sealed' = $3`,
    owner: ({ user_id, key }) => answerOwner({ userId: user_id ?? '', key: key ?? '' }),
  },
];

/**
 * Reseals under the current secret what is sealed under the previous one, row by row: an interrupted run can be
 * repeated and finds less to do. Servers may be running meanwhile, as long as they know both secrets; what they write
 * in between is left alone.
 */
export async function sealAnew(
  connectionString: string,
  vault: Vault,
): Promise<{ renewed: number; unreadable: number }> {
  let renewed = 0;
  let unreadable = 0;
  await eachSealed(connectionString, vault, async (client, { update, owner }, row, under) => {
    if (under === undefined) unreadable += 1;
    if (under !== 'previous') return;
    const again = vault.encrypt(vault.decrypt(row.sealed, owner(row)), owner(row));
    const { rowCount } = await client.query(update, [again, row.id, row.sealed]);
    renewed += rowCount ?? 0;
  });
  return { renewed, unreadable };
}

/** How much is sealed under the previous secret, and under no known one. */
export async function countSealed(
  connectionString: string,
  vault: Vault,
): Promise<{ previous: number; unreadable: number }> {
  const found = { previous: 0, unreadable: 0 };
  await eachSealed(connectionString, vault, async (_client, _column, _row, under) => {
    if (under === 'previous') found.previous += 1;
    if (under === undefined) found.unreadable += 1;
  });
  return found;
}

type Visit = (
  client: pg.Client,
  column: SealedColumn,
  row: SealedRow,
  under: ReturnType<Vault['sealedUnder']>,
) => Promise<void>;

async function eachSealed(connectionString: string, vault: Vault, visit: Visit): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows: made } = await client.query<{ made: boolean }>(
      `select to_regclass('public.signing_key') is not null as made`,
    );
    if (!made[0]?.made) return;
    for (const column of sealedColumns) {
      const { rows } = await client.query<SealedRow>(column.select);
      for (const row of rows)
        await visit(client, column, row, vault.sealedUnder(row.sealed, column.owner(row)));
    }
  } finally {
    await client.end();
  }
}
