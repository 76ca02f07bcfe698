import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { InsightLink } from '../../../contract/insight.ts';
import { formatDay } from '../../format.ts';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import { NewSecret } from '../../parts/new-secret.tsx';
import { viewOf } from '../../queries/query-props.ts';
import { toast } from '../../toast.ts';
import { Badge } from '../../ui/badge.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { CreateLink } from './create-link.tsx';
import style from './insights.module.css';
import './messages.ts';

const keyOf = (agentId: string) => ['insight-links', agentId];

/** Links that let others read some of these numbers without an account. */
export function InsightLinks({ agentId }: { agentId: string }) {
  const [creating, setCreating] = useState(false);
  const [address, setAddress] = useState<string | null>(null);
  const queries = useQueryClient();
  const links = useQuery({
    queryKey: keyOf(agentId),
    queryFn: async ({ signal }) => (await laterApi.insightLink.list({ agentId }, { signal })).links,
    meta: { failure: 'getInsights', quiet: true },
  });
  return (
    <section className={style['part']} aria-labelledby="links">
      <h2 id="links">{t('insights.links')}</h2>
      <p>{t('insights.linksLead')}</p>
      <QueryView {...viewOf(links)}>
        {(list) => list.length > 0 && <LinksTable agentId={agentId} links={list} />}
      </QueryView>
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size="1.15em" aria-hidden />}
          onClick={() => setCreating(true)}
        >
          {t('insights.createLink')}
        </Button>
      </div>
      {creating && (
        <CreateLink
          agentId={agentId}
          onClose={() => setCreating(false)}
          onMade={async (token) => {
            setCreating(false);
            setAddress(`${window.location.origin}/insights/${token}`);
            await queries.invalidateQueries({ queryKey: keyOf(agentId) });
          }}
        />
      )}
      <NewSecret
        secret={address}
        title={t('insights.newLink')}
        label={t('insights.linkAddress')}
        copyLabel={t('insights.copyLink')}
        onClose={() => setAddress(null)}
      />
    </section>
  );
}

function LinksTable({ agentId, links }: { agentId: string; links: readonly InsightLink[] }) {
  return (
    <DataTable
      label={t('insights.links')}
      columns={[t('insights.linkName'), t('insights.linkMade'), t('insights.linkEnds')]}
      actions={t('insights.linkActions')}
    >
      {links.map((link) => (
        <tr key={link.id}>
          <Cell kind="main">{link.name}</Cell>
          <Cell kind="faint" label={t('insights.linkMade')}>
            {formatDay(link.createdAt)}
          </Cell>
          <Cell kind="faint" label={t('insights.linkEnds')}>
            <Ends link={link} />
          </Cell>
          <Cell kind="actions">
            <RemoveLink agentId={agentId} link={link} />
          </Cell>
        </tr>
      ))}
    </DataTable>
  );
}

function Ends({ link: { expiresAt, hasEnded } }: { link: InsightLink }) {
  if (expiresAt === null) return t('insights.linkStays');
  return hasEnded ? <Badge>{t('insights.linkEnded')}</Badge> : formatDay(expiresAt);
}

function RemoveLink({ agentId, link: { id: linkId, name } }: { agentId: string; link: InsightLink }) {
  const [asking, setAsking] = useState(false);
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => laterApi.insightLink.remove({ agentId, linkId }),
    onSuccess: () => {
      setAsking(false);
      toast.success({ title: t('insights.linkRemoved'), message: name });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(agentId) }),
    meta: { failure: 'updateInsights' },
  });
  const title = t('insights.removeLinkName', { name });
  return (
    <>
      <Button variant="default" size="xs" aria-label={title} onClick={() => setAsking(true)}>
        {t('insights.removeLink')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={title}
        text={t('insights.removeLinkText')}
        action={t('insights.removeLink')}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
