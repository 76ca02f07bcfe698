import { createFileRoute } from '@tanstack/react-router';
import { LearnScreen } from '../../features/learn/learn-screen.tsx';

export const Route = createFileRoute('/app/learn')({
  component: LearnPage,
  validateSearch: ({ guide }): { guide?: string } => (typeof guide === 'string' ? { guide } : {}),
  staticData: { name: 'learn', title: 'app.learn', layout: 'app' },
});

function LearnPage() {
  return <LearnScreen name={Route.useSearch().guide} />;
}
