import type { CSSProperties } from 'react';
import { tokensOf, type Dress } from '../../contract/dress.ts';

/** The tokens of a conversation in an agent's looks. */
export function dressOf(dress: Dress): CSSProperties {
  return { ...(dress.scheme !== 'system' && { colorScheme: dress.scheme }), ...tokensOf(dress) };
}
