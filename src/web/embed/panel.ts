import { hearLoader, pageOf, type Place } from './place.ts';

/** Whether the visitor is looking at this page: on a site it stays loaded behind a panel they have closed. */
export interface Panel {
  isShown: () => boolean;
  /** The site's page on which it was last opened: sites change pages without loading them. */
  page: () => string | undefined;
  /** Calls the listener each time it is reopened, until the returned function is called. */
  onShown: (listener: () => void) => () => void;
}

/** A page is created only when its panel is opened. */
export function watchPanel({ site, page: first }: Pick<Place, 'site' | 'page'>): Panel {
  let isShown = true;
  let page = first;
  hearLoader(site, (message) => {
    if (message.type === 'hidden') isShown = false;
    if (message.type !== 'shown') return;
    isShown = true;
    page = pageOf(site, message.page) ?? page;
  });
  return {
    isShown: () => isShown,
    page: () => page,
    onShown: (listener) => hearLoader(site, ({ type }) => type === 'shown' && listener()),
  };
}
