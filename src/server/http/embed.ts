import type { FastifyInstance } from 'fastify';
import type { PublicAgent } from '../../contract/chatbot.ts';
import { sendPage } from './page.ts';

interface EmbedOptions {
  /** The page in the widget's frame. */
  page: string;
  /** Shown if there is no such agent. */
  missing: string;
  findAgent: FindPublicAgent;
}

/** A public agent and the sites that may show it, none: all; undefined if it is private or unknown. */
export type FindPublicAgent = (
  idOrHandle: string,
) => Promise<{ agent: PublicAgent; sites: readonly string[] } | undefined>;

/**
 * `/embed/<id or handle>`, our only page that other sites may frame: for each agent, the sites on its list. The list
 * only keeps the frame off other pages; that nobody chats elsewhere is enforced when a visitor's token is made.
 */
export function serveEmbed(app: FastifyInstance, { page, missing, findAgent }: EmbedOptions): void {
  app.get<{ Params: { agent: string } }>(
    '/embed/:agent',
    { schema: { hide: true } },
    async (request, reply) => {
      const found = await findAgent(request.params.agent.toLowerCase());
      if (!found) return sendPage(reply.code(404), missing);
      const { sites } = found;
      reply.removeHeader('x-frame-options');
      reply.header('cross-origin-resource-policy', 'cross-origin');
      const framedBy = sites.length > 0 ? sites : ['*'];
      return sendPage(
        reply,
        page.replace('__SITES__', () => shown(sites)),
        framedBy,
      );
    },
  );
}

/** The sites by name, for a person who opened the frame's address directly; wildcard entries lead nowhere. */
function shown(sites: readonly string[]): string {
  return sites.filter((site) => /^https?:\/\/[\w.:[\]-]+$/.test(site)).join(' ');
}
