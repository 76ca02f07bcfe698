import { IconBook2, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { t } from '../../messages/t.ts';
import { describeError } from '../../query-client.ts';
import { useAgentId, useOrgId } from '../../route-params.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useMay } from '../../use-role.ts';
import { DropAnywhere } from './drop-anywhere.tsx';
import style from './knowledge.module.css';
import { KnowledgeTable } from './knowledge-table.tsx';
import { useAddFiles } from './use-add-files.ts';
import { useLiveKnowledge } from './use-live-knowledge.ts';

/** Everything that an agent was given to know, and how far each item has come. */
export function KnowledgeScreen() {
  const orgId = useOrgId();
  const agentId = useAgentId();
  const mayWrite = useMay(orgId, 'agent.write');
  const { data, refetch } = useLiveKnowledge(agentId);
  const adding = useAddFiles(orgId, agentId);
  const add = mayWrite && (
    <Link
      to="/platform/{-$orgId}/agent/$agentId/knowledge/create"
      params={{ orgId, agentId }}
      className={buttonClass('primary')}
    >
      <IconPlus size="1.15em" aria-hidden />
      {t('knowledge.add')}
    </Link>
  );
  return (
    <>
      <PageHeader
        title={t('knowledge.title')}
        lead={t('knowledge.lead')}
        actions={data?.items.length !== 0 && add}
      />
      {adding.isPending && (
        <div className={style['uploading']}>
          <Callout>{t('knowledge.uploading')}</Callout>
        </div>
      )}
      {!data && <Skeleton shape="row" />}
      {data?.error ? <ErrorState message={describeError(data.error)} onRetry={() => void refetch()} /> : null}
      {data && !data.error && data.items.length === 0 && (
        <Notice
          icon={<IconBook2 size="1.25em" aria-hidden />}
          title={t('knowledge.none')}
          text={t('knowledge.noneText')}
          action={add}
        />
      )}
      {data && data.items.length > 0 && (
        <div className={style['list']}>
          <KnowledgeTable items={data.items} orgId={orgId} agentId={agentId} mayWrite={mayWrite} />
        </div>
      )}
      {mayWrite && <DropAnywhere onFiles={adding.mutate} />}
    </>
  );
}
