import { IconMessages } from '@tabler/icons-react';
import type { ChannelMessage, Plugin } from '../../../contract/plugin.ts';
import { t } from '../../messages/t.ts';
import { listOf, moreOf } from '../../queries/query-props.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Cell } from '../../ui/data-table.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { LogSection } from './log-section.tsx';
import style from './plugins.module.css';
import { useMessages } from './use-plugins.ts';

/** What people wrote in a channel, and what became of it. */
export function Messages({ plugin }: { plugin: Plugin }) {
  const log = useMessages(plugin);
  return (
    <LogSection
      id="messages"
      title={t('plugins.messages')}
      lead={t('plugins.messagesLead')}
      list={listOf(log, (page) => page.messages)}
      more={moreOf(log)}
      none={{
        icon: <IconMessages size="1.25em" aria-hidden />,
        title: t('plugins.messagesNone'),
        text: t('plugins.messagesNoneText'),
      }}
      columns={[t('plugins.message'), t('plugins.state'), t('plugins.when')]}
    >
      {(message) => <Row key={message.id} message={message} />}
    </LogSection>
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
