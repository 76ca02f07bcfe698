import { api } from '../../api/api.ts';
import { download } from '../../download.ts';
import { announceFailure } from '../../queries/query-client.ts';

/** Saves a conversation as a file. */
export async function exportConversation(id: string, format: 'markdown' | 'json'): Promise<void> {
  try {
    const { fileName, text, ...data } = await api.history.export({ id, format });
    if (format === 'markdown') download({ name: fileName, type: 'text/markdown', content: text ?? '' });
    else download({ name: fileName, type: 'application/json', content: JSON.stringify(data, null, 2) });
  } catch (error) {
    announceFailure(error, { failure: 'getConversation' });
  }
}
