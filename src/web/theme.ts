import { useEffect } from 'react';
import { localKeeper } from './storage.ts';
import { createStore } from './store.ts';

export const colourModes = ['system', 'light', 'dark'] as const;
export type ColourMode = (typeof colourModes)[number];
export type Scheme = 'light' | 'dark';

const KEY = 'parley.colour-mode';
const systemDark = matchMedia('(prefers-color-scheme: dark)');
let forced: Scheme | null = null;

/** What the person chose; kept in this browser and the same in all its tabs. */
export const colourMode = createStore<ColourMode>(parse(localKeeper.get(KEY)));
/** What is shown because of it. */
export const scheme = createStore<Scheme>('light');

export function chooseColourMode(mode: ColourMode): void {
  localKeeper.set(KEY, mode);
  colourMode.set(mode);
}

/** Shows a page in one scheme, whatever the person chose, until it is left. */
export function useForcedScheme(next: Scheme | null): void {
  useEffect(() => {
    forced = next;
    show();
    return () => {
      forced = null;
      show();
    };
  }, [next]);
}

export function startTheme(): void {
  colourMode.subscribe(show);
  systemDark.addEventListener('change', show);
  addEventListener('storage', (event) => {
    if (event.key === KEY) colourMode.set(parse(event.newValue));
  });
  show();
}

function show(): void {
  const mode = forced ?? colourMode.get();
  scheme.set(mode === 'system' ? (systemDark.matches ? 'dark' : 'light') : mode);
  document.documentElement.dataset['scheme'] = scheme.get();
}

function parse(value: string | null): ColourMode {
  return colourModes.find((mode) => mode === value) ?? 'system';
}
