import type { CSSProperties } from 'react';
import { tokensOf, type Dress } from '../../contract/dress.ts';

/** A conversation's style tokens for an agent's look. */
export function dressOf(dress: Dress): CSSProperties {
  return { ...(dress.scheme !== 'system' && { colorScheme: dress.scheme }), ...tokensOf(dress) };
}
