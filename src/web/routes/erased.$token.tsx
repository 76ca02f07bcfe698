import { createFileRoute } from '@tanstack/react-router';
import { ErasureScreen } from '../features/privacy/erasure-screen.tsx';

export const Route = createFileRoute('/erased/$token')({
  component: ErasureScreen,
  staticData: { name: 'erased', title: 'erased.title', layout: 'default' },
});
