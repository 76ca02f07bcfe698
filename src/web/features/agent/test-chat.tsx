import { ActionIcon, Switch, Tooltip } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Citation } from '../../../contract/chat.ts';
import type { Chatbot } from '../../../contract/chatbot.ts';
import { AgentChat } from '../../transport/agent-chat.tsx';
import { t } from '../../messages/t.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { tabKeeper } from '../../storage.ts';
import style from './test-chat.module.css';

/** Talks to the draft; the conversation lasts as long as the tab, including reloads. */
export function TestChat({ agent }: { agent: Chatbot }) {
  const key = `parley.test-chat.${agent.id}`;
  const dryKey = `${key}.dry`;
  const [run, setRun] = useState(0);
  const [isDry, setDry] = useState(tabKeeper.get(dryKey) !== 'off');
  const startAnew = () => {
    tabKeeper.remove(key);
    setRun(run + 1);
  };
  return (
    <>
      <div className={style['head']}>
        <h2 className={style['title']}>{t('agent.test')}</h2>
        <Switch
          label={t('agent.dryRun')}
          title={t('agent.dryRunHint')}
          checked={isDry}
          onChange={({ currentTarget: { checked } }) => {
            tabKeeper.set(dryKey, checked ? 'on' : 'off');
            setDry(checked);
            startAnew();
          }}
        />
        <Tooltip label={t('agent.testAnew')}>
          <ActionIcon variant="subtle" color="gray" aria-label={t('agent.testAnew')} onClick={startAnew}>
            <IconRefresh size="1.15em" />
          </ActionIcon>
        </Tooltip>
      </div>
      <AgentChat
        key={run}
        agent={agent}
        conversationId={tabKeeper.get(key)}
        canSeeReceipts
        version="draft"
        dryRun={isDry}
        renderSourceLink={(citation, text) => <SourceLink citation={citation} text={text} />}
        onCreated={({ id }) => tabKeeper.set(key, id)}
      />
    </>
  );
}

/** Links to the passage in the knowledge. */
function SourceLink({ citation, text }: { citation: Citation; text: string }) {
  const { knowledgeId, sourceId, offset } = citation;
  const place = offset === null ? {} : { at: offset, length: citation.text.length };
  return (
    <Link
      to="/platform/{-$orgId}/agent/$agentId/knowledge/$knowledgeId"
      params={{ orgId: useOrgId(), agentId: useAgentId(), knowledgeId }}
      search={{ source: sourceId, ...place }}
    >
      {text}
    </Link>
  );
}
