import { createFileRoute } from '@tanstack/react-router';
import { VoicemailScreen } from '../../features/voicemail/voicemail-screen.tsx';
import { PerPerson } from '../../session/per-person.tsx';

export const Route = createFileRoute('/app/voicemail')({
  component: VoicemailPage,
  /** `agent`: ID or handle of the one a link is about. */
  validateSearch: ({ agent }): { agent?: string } => (typeof agent === 'string' ? { agent } : {}),
  staticData: {
    name: 'app-voicemail',
    title: 'app.voicemail',
    layout: 'app',
  },
});

function VoicemailPage() {
  const { agent } = Route.useSearch();
  return (
    <PerPerson>
      <VoicemailScreen key={agent} asked={agent} />
    </PerPerson>
  );
}
