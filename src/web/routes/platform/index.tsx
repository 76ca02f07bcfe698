import { createFileRoute } from '@tanstack/react-router';
import { PlatformEntry } from '../../features/platform/platform-entry.tsx';

export const Route = createFileRoute('/platform/')({
  component: PlatformEntry,
  staticData: { name: 'platform', title: 'platform.opening' },
});
