import { useState } from 'react';
import { t } from '../../messages/t.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { NewVoicemail } from './new-voicemail.tsx';
import { VoicemailList } from './voicemail-list.tsx';

/** Leaves voice messages for agents and shows their answers. `asked`: the agent in the address. */
export function VoicemailScreen({ asked }: { asked: string | undefined }) {
  const [openId, setOpenId] = useState<string | null>(null);
  return (
    <>
      <PageHeader title={t('app.voicemail')} lead={t('voicemail.lead')} />
      <NewVoicemail asked={asked} onLeft={setOpenId} />
      <VoicemailList openId={openId} onOpen={setOpenId} />
    </>
  );
}
