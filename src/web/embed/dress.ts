import type { Appearance } from '../../contract/appearance.ts';
import { dressOf } from '../chat/dress.ts';

/** Puts the agent's looks on the whole page. */
export function dress(appearance: Appearance): void {
  const { style } = document.documentElement;
  const { colorScheme = '', ...tokens } = dressOf(appearance);
  style.colorScheme = String(colorScheme);
  for (const [name, value] of Object.entries(tokens)) style.setProperty(name, String(value));
}
