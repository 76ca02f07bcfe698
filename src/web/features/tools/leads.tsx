import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { Lead } from '../../../contract/lead.ts';
import { t } from '../../messages/t.ts';
import { moreOf } from '../../queries/query-props.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/section.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useServerSearch } from '../../hooks/use-kept-search.ts';
import style from './tools.module.css';
import { useExportLeads, useLeads, useRemoveLead } from './use-leads.ts';

/** The contact details people have left; renders nothing if there are none. */
export function Leads({ agentId, mayWrite }: { agentId: string; mayWrite: boolean }) {
  const { search, setSearch, wanted } = useServerSearch();
  const found = useLeads(agentId, wanted);
  const save = useExportLeads(agentId);
  const [asking, setAsking] = useState<Lead>();
  const remove = useRemoveLead(agentId, () => setAsking(undefined));
  const leads = found.data?.pages.flatMap((page) => page.leads) ?? [];
  if (leads.length === 0 && search === '' && wanted === '') return null;
  return (
    <Section title={t('tools.leads')} lead={t('tools.leadsLead')}>
      <div className={style['part']}>
        <div>
          <Button
            variant="default"
            leftSection={<IconDownload size="1.15em" aria-hidden />}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            {t('tools.leadsExport')}
          </Button>
        </div>
        <SearchInput label={t('tools.leadSearch')} value={search} onChange={setSearch} />
        {leads.length === 0 && found.isSuccess ? (
          <p>{t('tools.leadNone')}</p>
        ) : (
          <Found leads={leads} {...(mayWrite && { onRemove: setAsking })} />
        )}
        <ShowMore {...moreOf(found)} />
      </div>
      <ConfirmDialog
        opened={asking !== undefined}
        title={t('tools.leadRemove')}
        text={t('tools.leadRemoveText')}
        action={t('tools.leadRemove')}
        busy={remove.isPending}
        onConfirm={() => asking && remove.mutate(asking.id)}
        onClose={() => setAsking(undefined)}
      />
    </Section>
  );
}

function Found({ leads, onRemove }: { leads: readonly Lead[]; onRemove?: (lead: Lead) => void }) {
  return (
    <DataTable
      label={t('tools.leads')}
      columns={[t('tools.leadValues'), t('tools.when')]}
      {...(onRemove && { actions: t('plugins.actions') })}
    >
      {leads.map((lead) => (
        <Row key={lead.id} lead={lead} {...(onRemove && { onRemove: () => onRemove(lead) })} />
      ))}
    </DataTable>
  );
}

function Row({ lead, onRemove }: { lead: Lead; onRemove?: () => void }) {
  const [first] = lead.values;
  return (
    <tr>
      <Cell kind="main">
        <dl className={style['leadValues']}>
          {lead.values.map(({ key, label, value }) => (
            <div key={key}>
              <dt>{t('tools.leadIs', { label })}</dt> <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Cell>
      <Cell kind="faint">
        <span className={style['noWrap']}>
          <TimeAgo at={lead.createdAt} />
        </span>
      </Cell>
      {onRemove && (
        <Cell kind="actions">
          <Button
            variant="default"
            size="xs"
            aria-label={t('tools.leadRemoveName', { name: first?.value ?? '' })}
            onClick={onRemove}
          >
            {t('tools.remove')}
          </Button>
        </Cell>
      )}
    </tr>
  );
}
