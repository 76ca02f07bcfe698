import { Button } from '@mantine/core';
import { IconCpu, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ModelProvider } from '../../../contract/model.ts';
import { modelProvidersQuery } from '../../queries/model-queries.ts';
import { t } from '../../messages/t.ts';
import { Permitted } from '../../session/permitted.tsx';
import { isAddedAbove, viewOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { AvailableModels } from './available-models.tsx';
import style from './models.module.css';
import { ProviderDialog } from './provider-dialog.tsx';
import { ProvidersTable } from './providers-table.tsx';

/** The organization's own provider accounts, and the models they give its agents. */
export function ModelsScreen() {
  return (
    <Permitted permission="organization.manage" title={t('models.title')}>
      <Models orgId={useOrgId()} />
    </Permitted>
  );
}

function Models({ orgId }: { orgId: string }) {
  const [editing, setEditing] = useState<ModelProvider | 'new' | null>(null);
  const providers = useQuery(modelProvidersQuery(orgId));
  const add = (
    <Button leftSection={<IconPlus size="1.15em" aria-hidden />} onClick={() => setEditing('new')}>
      {t('models.add')}
    </Button>
  );
  return (
    <div className={style['page']}>
      <PageHeader
        title={t('models.title')}
        lead={t('models.lead')}
        actions={isAddedAbove(providers.data, providers.error) && add}
      />
      <QueryView {...viewOf(providers)}>
        {(list) =>
          list.length === 0 ? (
            <Notice
              icon={<IconCpu size="1.25em" aria-hidden />}
              title={t('models.none')}
              text={t('models.noneText')}
              action={add}
            />
          ) : (
            <ProvidersTable orgId={orgId} providers={list} onChange={setEditing} />
          )
        }
      </QueryView>
      <AvailableModels orgId={orgId} />
      {editing && (
        <ProviderDialog
          orgId={orgId}
          stored={editing === 'new' ? undefined : editing}
          taken={providers.data?.map(({ provider }) => provider) ?? []}
          onClose={() => setEditing(null)}
        />
      )}
    </div>
  );
}
