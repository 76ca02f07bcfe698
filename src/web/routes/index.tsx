import { createFileRoute } from '@tanstack/react-router';
import { FrontScreen } from '../features/front/front-screen.tsx';
import { PerPerson } from '../session/per-person.tsx';

export const Route = createFileRoute('/')({
  component: () => (
    <PerPerson>
      <FrontScreen />
    </PerPerson>
  ),
  staticData: { name: 'index', layout: 'default', isFirst: true },
});
