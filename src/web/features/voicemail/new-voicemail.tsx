import { NativeSelect, Stack } from '@mantine/core';
import { IconUserQuestion } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDraft } from '../../chat/use-draft.ts';
import { t } from '../../messages/t.ts';
import { publicAgentQuery } from '../../queries/queries.ts';
import { describeError } from '../../queries/query-client.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Recorder } from './recorder.tsx';
import { useAgents } from './use-agents.ts';
import { useLeave } from './use-voicemail.ts';

interface NewVoicemailProps {
  asked: string | undefined;
  /** Called with the conversation that contains the message. */
  onLeft: (id: string) => void;
}

/** A new message's recipient, and its recorder. */
export function NewVoicemail({ asked, onLeft }: NewVoicemailProps) {
  const { agents, isLoading, isMissing, unread } = useAgents(asked);
  const place = `voicemail ${asked ?? ''}`;
  const [chosen, setChosen] = useDraft(place);
  const { leave, isOnItsWay, recorderKey } = useLeave(place);
  // While others are still loading, the first one available may not be the one meant.
  const agent = agents.find(({ id }) => id === chosen) ?? (isLoading ? undefined : agents[0]);
  const agentId = agent?.id;
  const send = async (recording: Blob) => {
    if (agentId) onLeft(await leave({ to: { agentId }, recording }));
  };
  if (!isLoading && unread)
    return <ErrorState message={describeError(unread.error)} onRetry={unread.retry} />;
  if (!isLoading && agents.length === 0) return <NoAgent />;
  return (
    <Section title={t('voicemail.new')} lead={t('voicemail.newText')}>
      <Stack>
        {isMissing && <Callout tone="bad">{t('voicemail.missing')}</Callout>}
        {isLoading ? (
          <Skeleton shape="row" count={1} />
        ) : (
          <NativeSelect
            label={t('voicemail.to')}
            data={agents.map(({ id, name }) => ({ value: id, label: name }))}
            value={agentId ?? ''}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          />
        )}
        {agentId && <Disclosure agentId={agentId} />}
        <Recorder
          key={recorderKey}
          place={place}
          label={t('voicemail.record')}
          onSend={send}
          sending={isOnItsWay}
          disabled={agentId === undefined}
        />
      </Stack>
    </Section>
  );
}

/** The notice that an AI listens, if one is shown. */
function Disclosure({ agentId }: { agentId: string }) {
  const { data: agent } = useQuery({ ...publicAgentQuery(agentId), retry: false });
  return agent?.disclosureText ? <p dir="auto">{agent.disclosureText}</p> : null;
}

function NoAgent() {
  return (
    <Notice
      icon={<IconUserQuestion size="1.25em" aria-hidden />}
      title={t('voicemail.nobody')}
      text={t('voicemail.nobodyText')}
      action={
        <Link className={buttonClass('primary')} to="/platform">
          {t('voicemail.toAgents')}
        </Link>
      }
    />
  );
}
