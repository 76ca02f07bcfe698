import { createFileRoute } from '@tanstack/react-router';
import { arrived } from '../features/connected/arrived.ts';
import { ConnectedScreen } from '../features/connected/connected-screen.tsx';

export const Route = createFileRoute('/connected')({
  component: ConnectedScreen,
  loader: () => arrived,
  staticData: { name: 'connected', title: 'connected.title', layout: 'default' },
});
