import type { Appearance } from '../../contract/chatbot.ts';
import { readableOn } from '../contrast.ts';

/** Puts on the agent's colours. What is text keeps enough of the text's own colour to be read. */
export function dress({ accent, scheme, radius }: Appearance): void {
  const { dataset, style } = document.documentElement;
  if (scheme === 'system') delete dataset['scheme'];
  else dataset['scheme'] = scheme;
  const mixed = (share: number, other: string) => `color-mix(in oklab, ${accent} ${share}%, var(${other}))`;
  const values = {
    '--accent': accent,
    '--on-accent': readableOn(accent),
    '--accent-hover': mixed(85, '--text'),
    '--accent-text': mixed(55, '--text'),
    '--accent-soft': mixed(14, '--surface'),
    '--radius': `${radius}px`,
    '--radius-card': `${radius}px`,
  };
  for (const [name, value] of Object.entries(values)) style.setProperty(name, value);
}
