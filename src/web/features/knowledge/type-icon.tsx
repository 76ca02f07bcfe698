import { IconAlignLeft, IconFile, IconWorld } from '@tabler/icons-react';
import type { Knowledge } from '../../../contract/knowledge.ts';

const icons = { text: IconAlignLeft, file: IconFile, website: IconWorld };

export function TypeIcon({ type }: { type: Knowledge['type'] }) {
  const Icon = icons[type];
  return <Icon size="1.15em" aria-hidden />;
}
