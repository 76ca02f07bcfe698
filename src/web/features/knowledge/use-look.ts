import { useMutation } from '@tanstack/react-query';
import type { WebsiteLook } from '../../../contract/website.ts';
import { laterApi } from '../../api/later-api.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import type { SiteMode } from './site-values.ts';

interface Looked {
  website: string;
  mode: SiteMode;
}

/**
 * Explores what there is to read before it is read. Results stay valid as long as the input does; `onRefused` shows the
 * server's error.
 */
export function useLook(at: Looked, onRefused: (error: unknown) => void) {
  const id = useAgentId();
  const organizationId = useOrgId();
  const look = useMutation({
    mutationFn: ({ website, mode }: Looked): Promise<WebsiteLook> => {
      const call = mode === 'sitemap' ? laterApi.website.sitemapLinks : laterApi.website.domainLinks;
      return call({ id, organizationId, website });
    },
    onError: onRefused,
    meta: { failure: 'createKnowledge', quiet: true },
  });
  return {
    isPending: look.isPending,
    found: look.data && isSame(look.variables, at) ? look.data : undefined,
    start: (onFound: (found: WebsiteLook) => void) => look.mutate(at, { onSuccess: onFound }),
  };
}

/** Selected pages and the whole site are explored in the same way. */
function isSame(a: Looked, b: Looked): boolean {
  return a.website === b.website && (a.mode === 'sitemap') === (b.mode === 'sitemap');
}
