import { WEBSITE_LOOK_MS } from '../../../contract/limits.ts';
import type { website as contract, WebsiteLook } from '../../../contract/website.ts';
import { inAgent } from '../../access/gate.ts';
import { AppError, invalidField, notFound } from '../../app-error.ts';
import type { Handlers } from '../../call.ts';
import type { Deps } from '../../deps.ts';
import { UnreadableError } from './read/document.ts';
import { lookAtDomain, lookAtSitemap } from './site/look.ts';
import { createSiteReader, type SiteReader } from './site/site-reader.ts';

type Look = (reader: SiteReader, website: string, signal: AbortSignal) => Promise<WebsiteLook>;

/**
 * Looks at a website before it becomes knowledge. Requires permission to add knowledge to an agent: the server makes
 * the requests.
 */
export function websiteHandlers({ db, egress, config }: Deps): Handlers<typeof contract> {
  const reader = createSiteReader({ egress, requestsPerSecond: config.crawlRequestsPerSecond });
  const by = (look: Look): Handlers<typeof contract>['domainLinks'] => {
    return async ({ id, organizationId, website }, caller, context) => {
      await inAgent(db, caller, id, 'agent.write', async (_tx, agent) => {
        if (agent.organizationId !== organizationId) throw notFound();
      });
      const end = AbortSignal.timeout(WEBSITE_LOOK_MS);
      return look(reader, website, AbortSignal.any([end, context.signal])).catch((error: unknown) => {
        if (error instanceof UnreadableError) throw invalidField('website', error.message);
        throw end.aborted ? new AppError('egress/failed', 'The site took too long to answer.') : error;
      });
    };
  };
  return { domainLinks: by(lookAtDomain), sitemapLinks: by(lookAtSitemap) };
}
