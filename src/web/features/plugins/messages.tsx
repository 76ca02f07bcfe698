import { IconMessages } from '@tabler/icons-react';
import type { ChannelMessage, Plugin } from '../../../contract/plugin.ts';
import { t } from '../../messages/t.ts';
import { describeError } from '../../query-client.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { Notice } from '../../ui/notice.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import style from './plugins.module.css';
import { useMessages } from './use-plugins.ts';

/** What people wrote in a channel, and what became of it. */
export function Messages({ plugin }: { plugin: Plugin }) {
  const log = useMessages(plugin);
  const messages = log.data?.pages.flatMap((page) => page.messages);
  const error = log.error && describeError(log.error);
  return (
    <section className={style['part']} aria-labelledby="messages">
      <div>
        <h2 id="messages" className={style['heading']}>
          {t('plugins.messages')}
        </h2>
        <p className={style['soft']}>{t('plugins.messagesLead')}</p>
      </div>
      <QueryView data={messages} error={error} onRetry={() => void log.refetch()}>
        {(list) =>
          list.length === 0 ? (
            <Notice
              icon={<IconMessages size="1.25em" aria-hidden />}
              title={t('plugins.messagesNone')}
              text={t('plugins.messagesNoneText')}
            />
          ) : (
            <div className={style['part']}>
              <DataTable
                label={t('plugins.messages')}
                columns={[t('plugins.message'), t('plugins.state'), t('plugins.when')]}
              >
                {list.map((message) => (
                  <Row key={message.id} message={message} />
                ))}
              </DataTable>
              <ShowMore
                isMore={log.hasNextPage}
                busy={log.isFetchingNextPage}
                onMore={() => void log.fetchNextPage()}
              />
            </div>
          )
        }
      </QueryView>
    </section>
  );
}

const tones: Record<ChannelMessage['state'], Tone> = {
  received: 'neutral',
  answering: 'accent',
  answered: 'good',
  failed: 'bad',
};

function Row({ message: { personName, text, state, error, receivedAt } }: { message: ChannelMessage }) {
  return (
    <tr>
      <Cell kind="main">
        <span className={style['name']}>{text}</span>
        <span className={style['detail']}>{personName}</span>
      </Cell>
      <Cell label={t('plugins.state')}>
        <Badge tone={tones[state]}>{t(`plugins.state.${state}`)}</Badge>
        {error !== null && <span className={style['detail']}>{error}</span>}
      </Cell>
      <Cell kind="faint" label={t('plugins.when')}>
        <TimeAgo at={receivedAt} />
      </Cell>
    </tr>
  );
}
