import { api } from '../../api/api.ts';
import { laterApi } from '../../api/later-api.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { asAddress } from '../../forms/web-address.ts';

interface NewAgent {
  organizationId: string;
  name: string;
  /** One or more addresses, or any text; may be blank. */
  topic: string;
}

/**
 * Creates an agent and, if given, its first knowledge. Returns the agent's ID. If the knowledge is rejected, the agent
 * stays: the error is shown, and the knowledge can be added again on its page.
 */
export async function createAgent({ organizationId, name, topic }: NewAgent): Promise<string> {
  const { chatbot } = await api.chatbot.create({ organizationId, name });
  const knowledge = firstKnowledge(topic);
  if (knowledge) {
    await laterApi.knowledge
      .create({ id: chatbot.id, organizationId, ...knowledge })
      .catch((error: unknown) => announceFailure(error, { failure: 'createKnowledge' }));
  }
  return chatbot.id;
}

/** If all lines are addresses they become a website, anything else a text. */
function firstKnowledge(topic: string) {
  const lines = topic
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  if (lines.length === 0) return null;
  const links = lines.map(asAddress);
  if (links.every((link) => link !== null)) return { type: 'website' as const, links };
  return { type: 'text' as const, description: topic.trim() };
}
