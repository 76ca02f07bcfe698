import { IconAlignLeft, IconFile, IconMessageQuestion, IconTag, IconWorld } from '@tabler/icons-react';
import type { Knowledge } from '../../../contract/knowledge.ts';

const icons = {
  text: IconAlignLeft,
  file: IconFile,
  website: IconWorld,
  product: IconTag,
  qa: IconMessageQuestion,
};

export function TypeIcon({ type }: { type: Knowledge['type'] }) {
  const Icon = icons[type];
  return <Icon size="1.15em" aria-hidden />;
}
