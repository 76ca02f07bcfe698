import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { OpenGate } from '../../../contract/version.ts';
import { OVERRIDE_REASON_MAX_CHARACTERS, VERSION_NOTE_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../queries/query-props.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { Callout } from '../../ui/callout.tsx';
import { Modal } from '../../ui/modal.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useMay } from '../../session/use-role.ts';
import { gatesQuery, usePublish } from './use-versions.ts';

interface PublishDialogProps {
  number: number;
  note: string;
  onClose: () => void;
}

/** Makes a version live, after checking the required tests. Open as long as it is rendered. */
export function PublishDialog({ number, note, onClose }: PublishDialogProps) {
  const gates = useQuery(gatesQuery(useOrgId(), useAgentId(), number));
  return (
    <Modal opened onClose={onClose} title={t('versions.publishNumber', { number })}>
      <QueryView {...viewOf(gates)}>
        {(open) => <PublishForm number={number} note={note} gates={open} onClose={onClose} />}
      </QueryView>
    </Modal>
  );
}

function PublishForm({ number, note, gates, onClose }: PublishDialogProps & { gates: readonly OpenGate[] }) {
  const [values, setValues] = useState({ note, reason: '' });
  const mayOverride = useMay(useOrgId(), 'organization.own');
  const publish = usePublish(onClose);
  const isGated = gates.length > 0;
  const reason = values.reason.trim();
  const submit = () =>
    publish.mutate({ number, note: values.note, ...(isGated && { overrideReason: reason }) });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack>
        <p>{t('versions.publishText')}</p>
        <TextInput
          data-autofocus
          label={t('versions.note')}
          description={t('versions.noteHint')}
          maxLength={VERSION_NOTE_MAX_CHARACTERS}
          value={values.note}
          onChange={({ currentTarget }) => setValues({ ...values, note: currentTarget.value })}
        />
        {isGated && <OpenGates gates={gates} mayOverride={mayOverride} />}
        {isGated && mayOverride && (
          <OverrideReason
            value={values.reason}
            onChange={(typed) => setValues({ ...values, reason: typed })}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button
            type="submit"
            color={isGated ? 'danger' : 'accent'}
            loading={publish.isPending}
            disabled={isGated && (!mayOverride || reason === '')}
          >
            {t('versions.publish')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function OverrideReason({ value, onChange }: { value: string; onChange: (typed: string) => void }) {
  return (
    <Textarea
      label={t('versions.override')}
      description={t('versions.overrideHint')}
      maxLength={OVERRIDE_REASON_MAX_CHARACTERS}
      autosize
      minRows={2}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function OpenGates({ gates, mayOverride }: { gates: readonly OpenGate[]; mayOverride: boolean }) {
  const params = { orgId: useOrgId(), agentId: useAgentId() };
  return (
    <Callout tone="bad">
      <p>{t('versions.gated')}</p>
      <ul>
        {gates.map(({ testSetId, name, why }) => (
          <li key={testSetId}>{t(`versions.gate.${why}`, { name })}</li>
        ))}
      </ul>
      {!mayOverride && <p>{t('versions.onlyOwner')}</p>}
      <p>
        <Link to="/platform/{-$orgId}/agent/$agentId/settings/tests" params={params}>
          {t('versions.openTests')}
        </Link>
      </p>
    </Callout>
  );
}
