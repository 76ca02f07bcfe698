import { parseUrl } from '../../contract/parse-url.ts';
import { readLoaderMessage, type FrameMessage, type LoaderMessage } from '../widget/protocol.ts';

/** Where this page is shown: for which agent, and by the loader of which site, if by any. */
export interface Place {
  /** Id or handle, as the address has it. */
  agentId: string;
  /** The site that says that it frames this page. What is kept is kept for it, and no other can hear or say anything. */
  site: string | null;
  /** The page of that site, as it was when this was loaded there. */
  page: string | undefined;
}

export function readPlace(): Place {
  const agentId = decodeURIComponent(location.pathname.split('/')[2] ?? '');
  const page = parent === window ? null : parseUrl(decodeURIComponent(location.hash.slice(1)));
  if (!page || page.origin === 'null') return { agentId, site: null, page: undefined };
  return { agentId, site: page.origin, page: page.origin + page.pathname };
}

/** Delivered only if the site is the one that it said to be. */
export function tellLoader(site: string | null, message: FrameMessage): void {
  if (site !== null) parent.postMessage(message, site);
}

/** Calls with what the loader says, until the returned function is called. */
export function hearLoader(site: string | null, listener: (message: LoaderMessage) => unknown): () => void {
  const onMessage = (event: MessageEvent) => {
    if (event.source !== parent || event.origin !== site) return;
    const message = readLoaderMessage(event.data);
    if (message) listener(message);
  };
  addEventListener('message', onMessage);
  return () => removeEventListener('message', onMessage);
}
