import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../layouts/later-page.tsx';

export const Route = createFileRoute('/app/voicemail')({
  component: LaterPage,
  staticData: {
    name: 'app-voicemail',
    title: 'app.voicemail',
    purpose: 'app.voicemailPurpose',
    layout: 'app',
  },
});
