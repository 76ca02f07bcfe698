import type { KnowledgeSchedule } from '../../../contract/knowledge.ts';
import { KNOWLEDGE_LINKS_MAX } from '../../../contract/limits.ts';
import { parseUrl } from '../../../contract/parse-url.ts';
import type { WebsiteLook } from '../../../contract/website.ts';
import { useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { asAddress } from '../../forms/web-address.ts';
import { showItemErrors } from './show-item-errors.ts';
import { checkSite, newSite, settingsOf, type SiteMode, type SiteValues } from './site-values.ts';
import { useAddKnowledge } from './use-add-knowledge.ts';

interface WebsiteValues extends SiteValues, Record<string, unknown> {
  address: string;
}

const labels = {
  address: t('knowledge.address'),
  include: t('knowledge.include'),
  exclude: t('knowledge.exclude'),
  maxPages: t('knowledge.maxPages'),
  maxDepth: t('knowledge.maxDepth'),
  schedule: t('knowledge.readsAgain'),
};

interface WebsiteSetup {
  /** The mode the person has selected; until then the address suggests one. */
  touched: SiteMode | null;
  schedule: KnowledgeSchedule;
}

/** The form for a new website. */
export function useWebsiteForm({ touched, schedule }: WebsiteSetup) {
  const form = useValidForm<WebsiteValues>({
    initial: { address: '', ...newSite, schedule },
    labels,
    check: (values): Record<string, string> => ({
      ...(!asAddress(values.address) && { address: t('form.notValid', { field: labels.address }) }),
      ...checkSite('links', values),
    }),
  });
  const mode = touched ?? suggestedMode(form.values.address);
  const showErrors = (error: unknown): boolean => showItemErrors(form, error, 'address');
  const creating = useAddKnowledge(showErrors);
  const add = async (values: WebsiteValues, links: string[] | null) => {
    if (!links) return;
    const site = settingsOf(mode, values);
    // The call itself shows a failure.
    await creating
      .mutateAsync({ item: { type: 'website', links, site, schedule: values.schedule } })
      .catch(() => undefined);
  };
  return {
    form,
    mode,
    add,
    showRefusal: (error: unknown) => void (showErrors(error) || announceFailure(error)),
  };
}

/** A site's front page stands for the site, a sitemap for its pages, any other page only for itself. */
function suggestedMode(address: string): SiteMode {
  const url = parseUrl(asAddress(address) ?? '');
  if (!url) return 'domain';
  if (/\.xml(\.gz)?$/.test(url.pathname)) return 'sitemap';
  return url.pathname === '/' ? 'domain' : 'links';
}

/**
 * The addresses to read: the one entered or, after exploring, the selected ones. Null if there are none, or more than
 * can be selected one by one.
 */
export function linksToAdd(
  address: string,
  look: WebsiteLook | undefined,
  chosen: ReadonlySet<string> | null,
): string[] | null {
  if (look && chosen) return chosen.size > 0 && chosen.size <= KNOWLEDGE_LINKS_MAX ? [...chosen] : null;
  const typed = asAddress(address);
  return typed ? [asAnswered(typed, look)] : [];
}

/** A site that is available only without encryption is read the way exploring found it. */
function asAnswered(address: string, look: WebsiteLook | undefined): string {
  const url = new URL(address);
  const found = parseUrl(look?.links[0]?.url ?? '');
  if (found?.host === url.host) url.protocol = found.protocol;
  return url.href;
}
