import { ActionIcon, Button, Drawer, Tooltip } from '@mantine/core';
import { IconLayoutSidebarRightCollapse, IconMessageCircle } from '@tabler/icons-react';
import { useState, useSyncExternalStore } from 'react';
import type { Chatbot } from '../../../contract/chatbot.ts';
import { t } from '../../messages/t.ts';
import { localKeeper } from '../../storage.ts';
import { useOver } from '../../routing/use-over.ts';
import style from './agent-frame.module.css';
import { TestChat } from './test-chat.tsx';

const KEY = 'parley.test-chat';

/** As in agent-frame.module.css: the width from which there is room beside a page. */
const room = matchMedia('(min-width: 1280px)');

/** Where the agent is tried: beside the page, or in a sheet over it if there is no room. */
export function TestPlace({ agent }: { agent: Chatbot | undefined }) {
  const isBeside = useSyncExternalStore(
    (listener) => {
      room.addEventListener('change', listener);
      return () => room.removeEventListener('change', listener);
    },
    () => room.matches,
  );
  return isBeside ? <Beside agent={agent} /> : <Over agent={agent} />;
}

/** Its open state persists across pages and days. */
function Beside({ agent }: { agent: Chatbot | undefined }) {
  const [opened, setOpened] = useState(localKeeper.get(KEY) !== 'closed');
  const toggle = () => {
    localKeeper.set(KEY, opened ? 'closed' : 'open');
    setOpened(!opened);
  };
  const Icon = opened ? IconLayoutSidebarRightCollapse : IconMessageCircle;
  const label = opened ? t('agent.closeTest') : t('agent.openTest');
  return (
    <aside className={style['side']} data-opened={opened} aria-label={t('agent.test')}>
      <div className={style['toggle']}>
        <Tooltip label={label}>
          <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={toggle}>
            <Icon size="1.25em" />
          </ActionIcon>
        </Tooltip>
      </div>
      {opened && agent && <TestChat key={agent.id} agent={agent} />}
    </aside>
  );
}

function Over({ agent }: { agent: Chatbot | undefined }) {
  const { opened, open, close } = useOver('test');
  return (
    <>
      <div className={style['opener']}>
        <Button
          leftSection={<IconMessageCircle size="1.25em" aria-hidden />}
          aria-haspopup="dialog"
          onClick={open}
        >
          {t('agent.test')}
        </Button>
      </div>
      <Drawer.Root
        opened={opened && agent !== undefined}
        onClose={close}
        position="right"
        padding={0}
        size="calc(var(--side-width) + var(--s-10))"
      >
        <Drawer.Overlay />
        <Drawer.Content aria-label={t('agent.test')}>
          <Drawer.Body className={style['sheet'] ?? ''}>
            <div className={style['toggle']}>
              <Drawer.CloseButton aria-label={t('agent.closeTest')} />
            </div>
            {agent && <TestChat key={agent.id} agent={agent} />}
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
    </>
  );
}
