import type { Appearance } from '../../contract/appearance.ts';
import { dressOf } from '../chat/dress.ts';

/** Applies the agent's look to the whole page. */
export function dress(appearance: Appearance): void {
  const { style } = document.documentElement;
  const { colorScheme = '', ...tokens } = dressOf(appearance);
  style.colorScheme = String(colorScheme);
  for (const [name, value] of Object.entries(tokens)) style.setProperty(name, String(value));
}
