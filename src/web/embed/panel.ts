import { hearLoader, type Place } from './place.ts';

/** Whether the visitor has this page before them: on a site it stays behind a panel that they have closed. */
export interface Panel {
  isShown: () => boolean;
  /** Calls each time when it is opened again, until the returned function is called. */
  onShown: (listener: () => void) => () => void;
}

/** A page is only made when its panel is opened. */
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
