import { Button } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '../../../contract/api-key.ts';
import { t } from '../../messages/t.ts';
import { NewSecret } from '../../parts/new-secret.tsx';
import { apiKeysQuery } from '../../queries/people-queries.ts';
import { Permitted } from '../../session/permitted.tsx';
import { isAddedAbove, viewOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { Searched } from '../../parts/searched.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ApiKeysTable } from './api-keys-table.tsx';
import { CreateKey } from './create-key.tsx';

/** API keys for programs that act for the organization. */
export function ApiKeysScreen() {
  return (
    <Permitted permission="organization.manage" title={t('apiKeys.title')}>
      <ApiKeys orgId={useOrgId()} />
    </Permitted>
  );
}

function ApiKeys({ orgId }: { orgId: string }) {
  const [creating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const keys = useQuery(apiKeysQuery(orgId));
  const create = (
    <Button leftSection={<IconPlus size="1.15em" aria-hidden />} onClick={() => setCreating(true)}>
      {t('apiKeys.create')}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t('apiKeys.title')}
        lead={t('apiKeys.lead')}
        actions={isAddedAbove(keys.data, keys.error) && create}
      />
      <QueryView {...viewOf(keys)}>
        {(list) =>
          list.length === 0 ? (
            <Notice
              icon={<IconKey size="1.25em" aria-hidden />}
              title={t('apiKeys.none')}
              text={t('apiKeys.noneText')}
              action={create}
            />
          ) : (
            <Found keys={list} />
          )
        }
      </QueryView>
      {creating && (
        <CreateKey
          orgId={orgId}
          onClose={() => setCreating(false)}
          onMade={(made) => {
            setCreating(false);
            setSecret(made);
          }}
        />
      )}
      <NewSecret
        secret={secret}
        title={t('apiKeys.new')}
        label={t('apiKeys.key')}
        copyLabel={t('apiKeys.copy')}
        onClose={() => setSecret(null)}
      />
    </>
  );
}

function Found({ keys }: { keys: readonly ApiKey[] }) {
  return (
    <Searched
      items={keys}
      nameOf={({ name }) => name}
      label={t('apiKeys.search')}
      none={{ title: t('apiKeys.notFound'), text: t('apiKeys.notFoundText') }}
    >
      {(found) => <ApiKeysTable keys={found} />}
    </Searched>
  );
}
