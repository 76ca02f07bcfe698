import { localKeeper } from './storage.ts';
import { createStore } from './store.ts';

export const colourModes = ['system', 'light', 'dark'] as const;
type ColourMode = (typeof colourModes)[number];
export type Scheme = 'light' | 'dark';

const KEY = 'parley.colour-mode';
const systemDark = matchMedia('(prefers-color-scheme: dark)');

/** The person's choice; stored in this browser and shared by all its tabs. */
export const colourMode = createStore<ColourMode>(parse(localKeeper.get(KEY)));
/** The resulting scheme. */
export const scheme = createStore<Scheme>('light');

export function chooseColourMode(mode: ColourMode): void {
  localKeeper.set(KEY, mode);
  colourMode.set(mode);
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
  const mode = colourMode.get();
  scheme.set(mode === 'system' ? (systemDark.matches ? 'dark' : 'light') : mode);
  document.documentElement.dataset['scheme'] = scheme.get();
}

function parse(value: string | null): ColourMode {
  return colourModes.find((mode) => mode === value) ?? 'system';
}
