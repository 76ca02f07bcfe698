import { createFileRoute } from '@tanstack/react-router';
import { FrontScreen } from '../features/front/front-screen.tsx';

export const Route = createFileRoute('/')({
  component: FrontScreen,
  staticData: { name: 'index', layout: 'default', isFirst: true },
});
