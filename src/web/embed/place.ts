import { parseUrl } from '../../contract/parse-url.ts';
import { readLoaderMessage, type FrameMessage, type LoaderMessage } from '../widget/protocol.ts';

/** Where this page is shown: for which agent, and by which site's loader, if any. */
export interface Place {
  /** ID or handle, as in the address. */
  agentId: string;
  /** The site that claims to frame this page. Data is stored per site, and no other site can receive or send anything. */
  site: string | null;
  /** That site's page, as of when this was loaded there, without query and fragment. */
  page: string | undefined;
}

export function readPlace(): Place {
  const agentId = decodeURIComponent(location.pathname.split('/')[2] ?? '');
  const page = parent === window ? null : parseUrl(decodeURIComponent(location.hash.slice(1)));
  if (!page || page.origin === 'null') return { agentId, site: null, page: undefined };
  return { agentId, site: page.origin, page: addressOf(page) };
}

/** A page of this site, without query and fragment; undefined for anything else. */
export function pageOf(site: string | null, href: string | null): string | undefined {
  const page = parseUrl(href ?? '');
  return page && page.origin === site ? addressOf(page) : undefined;
}

const addressOf = ({ origin, pathname }: URL): string => origin + pathname;

/** Delivered only if the site is the one it claimed to be. */
export function tellLoader(site: string | null, message: FrameMessage): void {
  if (site !== null) parent.postMessage(message, site);
}

/** Calls the listener with the loader's messages until the returned function is called. */
export function hearLoader(site: string | null, listener: (message: LoaderMessage) => unknown): () => void {
  const onMessage = (event: MessageEvent) => {
    if (event.source !== parent || event.origin !== site) return;
    const message = readLoaderMessage(event.data);
    if (message) listener(message);
  };
  addEventListener('message', onMessage);
  return () => removeEventListener('message', onMessage);
}
