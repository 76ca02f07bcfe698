import { readLoaderMessage, type FrameMessage, type LoaderMessage } from '../widget/protocol.ts';

/** Where this page is shown: for which agent, and by the loader of which site, if by any. */
export interface Place {
  /** Id or handle, as the address has it. */
  agentId: string;
  /** The site that says that it frames this page. What is kept is kept for it, and no other can hear or say anything. */
  site: string | null;
}

export function readPlace(): Place {
  const agentId = decodeURIComponent(location.pathname.split('/')[2] ?? '');
  return { agentId, site: parent === window ? null : originIn(location.hash) };
}

function originIn(hash: string): string | null {
  const url = URL.parse(decodeURIComponent(hash.slice(1)));
  return url && url.origin !== 'null' ? url.origin : null;
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
