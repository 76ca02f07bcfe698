import { and, eq, sql } from 'drizzle-orm';
import { AGENT_IMAGES_KEPT } from '../../../contract/limits.ts';
import type { Agent } from '../../access/gate.ts';
import { agentImage } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';

/** Every statement on the pictures uploaded for an agent. */

type Owner = Pick<Agent, 'id' | 'organizationId'>;

export async function hasImage(tx: Tx, { organizationId, id }: Owner, address: string): Promise<boolean> {
  const isIts = and(eq(agentImage.organizationId, organizationId), eq(agentImage.agentId, id));
  const found = await tx
    .select({ address: agentImage.address })
    .from(agentImage)
    .where(and(isIts, eq(agentImage.address, address)));
  return found.length > 0;
}

/**
 * A picture that isn't used yet, or any more, is kept so that changes can be undone, until there are too many: then the
 * oldest is deleted that isn't shown by the agent, one of its versions or its public page. The bytes follow.
 */
export async function addImage(
  tx: Tx,
  { organizationId, id: agentId }: Owner,
  address: string,
): Promise<void> {
  await tx.insert(agentImage).values({ address, organizationId, agentId });
  await tx.execute(sql`
    delete from agent_image where organization_id = ${organizationId} and address in (
      select i.address from agent_image i join agent a on a.id = i.agent_id
       where i.organization_id = ${organizationId} and i.agent_id = ${agentId}
         and i.address <> a.profile_photo and position(i.address in a.appearance::text) = 0
         and not exists (select 1 from agent_version v where v.organization_id = ${organizationId}
           and v.agent_id = i.agent_id and position(i.address in v.settings::text) > 0)
         and not exists (select 1 from storefront s where s.organization_id = ${organizationId}
           and s.agent_id = i.agent_id and position(i.address in s.draft::text || coalesce(s.published, '{}')::text) > 0)
       order by i.created_at desc, i.address offset ${AGENT_IMAGES_KEPT})`);
}
