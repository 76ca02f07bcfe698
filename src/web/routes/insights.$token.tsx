import { createFileRoute } from '@tanstack/react-router';
import { PublicPart } from '../features/insights/public-part.tsx';

export const Route = createFileRoute('/insights/$token')({
  component: PublicPart,
  staticData: { title: 'insights.title', layout: 'default' },
});
