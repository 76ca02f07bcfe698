import { hearLoader, type Place } from './place.ts';

/** Whether the visitor is looking at this page: on a site it stays loaded behind a panel they have closed. */
export interface Panel {
  isShown: () => boolean;
  /** Calls the listener each time it is reopened, until the returned function is called. */
  onShown: (listener: () => void) => () => void;
}

/** A page is created only when its panel is opened. */
export function watchPanel({ site }: Pick<Place, 'site'>): Panel {
  let isShown = true;
  hearLoader(site, ({ type }) => {
    if (type === 'shown' || type === 'hidden') isShown = type === 'shown';
  });
  return {
    isShown: () => isShown,
    onShown: (listener) => hearLoader(site, ({ type }) => type === 'shown' && listener()),
  };
}
