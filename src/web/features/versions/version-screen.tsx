import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Version, VersionDetails } from '../../../contract/version.ts';
import { VERSION_NOTE_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { t } from '../../messages/t.ts';
import { agentQuery } from '../../queries/queries.ts';
import { pageOf, viewOf } from '../../queries/query-props.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { Section } from '../../ui/section.tsx';
import { useMay } from '../../session/use-role.ts';
import { Differences } from './differences.tsx';
import { useAnnotate, useVersions, versionQuery } from './use-versions.ts';
import style from './versions.module.css';

const FROM = '/platform/{-$orgId}/agent/$agentId/settings/versions/$number';

/** A version: its note, and how it differs from another one. */
export function VersionScreen() {
  const orgId = useOrgId();
  const agentId = useAgentId();
  const number = Number(useParams({ from: FROM }).number);
  const version = useQuery(versionQuery(orgId, agentId, number));
  return (
    <Stack gap="lg">
      <QueryView {...pageOf(version)}>
        {(found) => (
          <>
            <Note key={number} version={found} />
            <Comparison version={found} />
          </>
        )}
      </QueryView>
    </Stack>
  );
}

function Note({ version: { number, note } }: { version: Version }) {
  const [value, setValue] = useState(note);
  const annotate = useAnnotate();
  const mayWrite = useMay(useOrgId(), 'agent.write');
  return (
    <Section title={t('versions.number', { number })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          annotate.mutate({ number, note: value });
        }}
      >
        <Group align="flex-end">
          <TextInput
            flex={1}
            label={t('versions.note')}
            description={t('versions.noteHint')}
            maxLength={VERSION_NOTE_MAX_CHARACTERS}
            disabled={!mayWrite}
            value={value}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
          />
          <Button
            type="submit"
            variant="default"
            loading={annotate.isPending}
            disabled={!mayWrite || value.trim() === note}
          >
            {t('versions.saveNote')}
          </Button>
        </Group>
      </form>
    </Section>
  );
}

function Comparison({ version }: { version: VersionDetails }) {
  const orgId = useOrgId();
  const agentId = useAgentId();
  const { data: agent } = useQuery(agentQuery(orgId, agentId));
  const chosen = useSearch({ from: FROM }).with;
  const live = agent?.liveVersion;
  const standard = live && live !== version.number ? live : version.number - 1;
  const other = chosen ?? standard;
  if (other < 1) return <p className={style['soft']}>{t('versions.only')}</p>;
  return <ComparedWith key={other} version={version} other={other} />;
}

function ComparedWith({ version, other }: { version: VersionDetails; other: number }) {
  const orgId = useOrgId();
  const agentId = useAgentId();
  const before = useQuery(versionQuery(orgId, agentId, other));
  const navigate = useNavigate();
  return (
    <>
      <NativeSelect
        label={t('versions.compareWith')}
        data={useChoices(version.number, other)}
        value={String(other)}
        onChange={({ currentTarget }) =>
          void navigate({
            to: FROM,
            params: { orgId, agentId, number: String(version.number) },
            search: { with: Number(currentTarget.value) },
            replace: true,
            resetScroll: false,
          })
        }
      />
      <QueryView {...viewOf(before)}>{(found) => <Differences before={found} after={version} />}</QueryView>
    </>
  );
}

/** The versions listed so far, including the selected one. */
function useChoices(number: number, other: number) {
  const { data } = useVersions();
  const listed = data?.pages.flatMap((page) => page.versions.map((each) => each.number)) ?? [];
  return [...new Set([...listed, other])]
    .filter((each) => each !== number)
    .toSorted((a, b) => b - a)
    .map((each) => ({ value: String(each), label: t('versions.number', { number: each }) }));
}
