import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../layouts/later-page.tsx';

export const Route = createFileRoute('/app/learn')({
  component: LaterPage,
  staticData: { name: 'learn', title: 'app.learn', purpose: 'app.learnPurpose', layout: 'app' },
});
