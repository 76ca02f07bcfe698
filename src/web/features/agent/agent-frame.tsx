import { ActionIcon, Tooltip } from '@mantine/core';
import { IconLayoutSidebarRightCollapse, IconMessageCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { notFound, Outlet, useMatches } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { t } from '../../messages/t.ts';
import { agentQuery } from '../../queries.ts';
import { isNotFound, viewOf } from '../../query-props.ts';
import { useAgentId, useOrgId } from '../../route-params.ts';
import { localKeeper } from '../../storage.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import style from './agent-frame.module.css';
import { TestChat } from './test-chat.tsx';

const KEY = 'parley.test-chat';

/** The pages on which one changes what the agent answers: there it can be tried at the side. */
const TRIED = /agentId-(home$|knowledge|settings-(instructions|model|profile)$)/;
/** Those on which one makes a draft, or sees what became of it. */
const DRAFTED = /agentId-(home$|settings)/;

/** `bar` stands above the pages on which a draft is made. */
export function AgentFrame({ bar }: { bar: ReactNode }) {
  const orgId = useOrgId();
  const agentId = useAgentId();
  const agent = useQuery(agentQuery(orgId, agentId));
  const name = useMatches({ select: (matches) => matches.at(-1)?.staticData.name ?? '' });
  const shownBar = DRAFTED.test(name) && bar;
  const [opened, setOpened] = useState(localKeeper.get(KEY) !== 'closed');
  const toggle = () => {
    localKeeper.set(KEY, opened ? 'closed' : 'open');
    setOpened(!opened);
  };
  const { data, error, onRetry } = viewOf(agent);
  if (isNotFound(agent.error)) throw notFound();
  // One that was read before stays: a page does not lose what is being written on it because a later look failed.
  if (error !== null && data === undefined) return <ErrorState message={error} onRetry={onRetry} />;
  if (!TRIED.test(name))
    return (
      <>
        {shownBar}
        <Outlet />
      </>
    );
  const Icon = opened ? IconLayoutSidebarRightCollapse : IconMessageCircle;
  const label = opened ? t('agent.closeTest') : t('agent.openTest');
  return (
    <div className={style['frame']} data-opened={opened}>
      <div className={style['page']}>
        {shownBar}
        <Outlet />
      </div>
      <aside className={style['side']} aria-label={t('agent.test')}>
        <div className={style['toggle']}>
          <Tooltip label={label}>
            <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={toggle}>
              <Icon size="1.25em" />
            </ActionIcon>
          </Tooltip>
        </div>
        {opened && data && <TestChat key={agentId} agent={data} />}
      </aside>
    </div>
  );
}
