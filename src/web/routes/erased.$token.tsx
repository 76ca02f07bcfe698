import { createFileRoute } from '@tanstack/react-router';
import { PrivacyPart } from '../features/privacy/privacy-part.tsx';

export const Route = createFileRoute('/erased/$token')({
  component: () => <PrivacyPart name="ErasureScreen" />,
  staticData: { name: 'erased', title: 'erased.title', layout: 'default' },
});
