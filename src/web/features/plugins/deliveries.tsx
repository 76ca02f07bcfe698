import { Button } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import type { Plugin } from '../../../contract/plugin.ts';
import type { WebhookDelivery } from '../../../contract/webhook.ts';
import { t } from '../../messages/t.ts';
import { listOf, moreOf } from '../../queries/query-props.ts';
import { toast } from '../../toast.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Cell } from '../../ui/data-table.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { LogSection } from './log-section.tsx';
import style from './plugins.module.css';
import { useDeliveries, useReplay } from './use-plugins.ts';

/** What a webhook was told, and whether it arrived. */
export function Deliveries({ plugin, mayWrite }: { plugin: Plugin; mayWrite: boolean }) {
  const log = useDeliveries(plugin);
  return (
    <LogSection
      id="deliveries"
      title={t('plugins.deliveries')}
      lead={t('plugins.deliveriesLead')}
      list={listOf(log, (page) => page.deliveries)}
      more={moreOf(log)}
      none={{
        icon: <IconWebhook size="1.25em" aria-hidden />,
        title: t('plugins.deliveriesNone'),
        text: t('plugins.deliveriesNoneText'),
      }}
      columns={[t('plugins.event'), t('plugins.state'), t('plugins.when')]}
      actions={mayWrite ? t('plugins.actions') : undefined}
    >
      {(delivery) => <Row key={delivery.id} plugin={plugin} delivery={delivery} mayWrite={mayWrite} />}
    </LogSection>
  );
}

const tones: Record<WebhookDelivery['state'], Tone> = {
  pending: 'neutral',
  delivered: 'good',
  failed: 'bad',
};

interface RowProps {
  plugin: Plugin;
  delivery: WebhookDelivery;
  mayWrite: boolean;
}

function Row({ plugin, delivery: { id, event, state, attempts, error, createdAt }, mayWrite }: RowProps) {
  const replay = useReplay(plugin.id, () => toast.success({ title: t('plugins.replayed') }));
  const name = t(`plugins.event.${event}`);
  return (
    <tr>
      <Cell kind="main">
        <span className={style['name']}>{name}</span>
        <code className={style['detail']}>{event}</code>
      </Cell>
      <Cell label={t('plugins.state')}>
        <Badge tone={tones[state]}>{t(`plugins.delivery.${state}`)}</Badge>
        <span className={style['detail']}>
          {[t('plugins.attempts#', { count: attempts }), error].filter(Boolean).join(' · ')}
        </span>
      </Cell>
      <Cell kind="faint" label={t('plugins.when')}>
        <TimeAgo at={createdAt} />
      </Cell>
      {mayWrite && (
        <Cell kind="actions">
          <Button
            variant="default"
            size="xs"
            disabled={state === 'pending'}
            loading={replay.isPending}
            aria-label={`${t('plugins.replay')}: ${name}`}
            onClick={() => replay.mutate(id)}
          >
            {t('plugins.replay')}
          </Button>
        </Cell>
      )}
    </tr>
  );
}
