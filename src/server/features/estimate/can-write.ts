import type { Agent } from '../../access/gate.ts';
import { EXTRACTIVE_MODEL, type Models } from '../../llm/models.ts';

/** Whether one of the agent's models can write; the built-in one quotes and can't judge. */
export async function canWrite(
  models: Models,
  { organizationId, modelSettings }: Pick<Agent, 'organizationId' | 'modelSettings'>,
): Promise<boolean> {
  const { models: chain } = await models.chain(organizationId, modelSettings);
  return chain.some(({ name, circuit }) => name !== EXTRACTIVE_MODEL && circuit.mayTry());
}
