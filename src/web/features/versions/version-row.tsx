import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowBackUp, IconDots, IconExternalLink, IconGitCompare, IconRocket } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Version } from '../../../contract/version.ts';
import { t } from '../../messages/t.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { Badge } from '../../ui/badge.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Cell } from '../../ui/data-table.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useMay } from '../../session/use-role.ts';
import { PublishDialog } from './publish-dialog.tsx';
import { useRestore } from './use-versions.ts';
import style from './versions.module.css';

const PAGE = '/platform/{-$orgId}/agent/$agentId/settings/versions/$number';

type Asking = 'publish' | 'restore' | null;

export function VersionRow({ version }: { version: Version }) {
  const { number, note, author, createdAt, publishedAt, publisher, isDraft, isLive } = version;
  const params = { orgId: useOrgId(), agentId: useAgentId(), number: String(number) };
  const [asking, setAsking] = useState<Asking>(null);
  const close = () => setAsking(null);
  return (
    <tr>
      <Cell kind="main">
        <Link to={PAGE} params={params}>
          {t('versions.number', { number })}
        </Link>
        <span className={style['badges']}>
          {isDraft && <Badge tone="accent">{t('versions.draft')}</Badge>}
          {isLive && <Badge tone="good">{t('versions.live')}</Badge>}
        </span>
        {note && <span className={style['note']}>{note}</span>}
      </Cell>
      <Cell kind="name" label={t('versions.saved')}>
        <TimeAgo at={createdAt} /> {author}
      </Cell>
      <Cell kind="name" label={t('versions.published')}>
        {publishedAt === null ? (
          t('versions.neverPublished')
        ) : (
          <>
            <TimeAgo at={publishedAt} /> {publisher}
          </>
        )}
      </Cell>
      <Cell kind="actions">
        <VersionMenu version={version} onAsk={setAsking} />
        {asking === 'publish' && <PublishDialog number={number} note={note} onClose={close} />}
        <Restore number={number} opened={asking === 'restore'} onClose={close} />
      </Cell>
    </tr>
  );
}

function VersionMenu({ version, onAsk }: { version: Version; onAsk: (asking: Asking) => void }) {
  const { number, isDraft, isLive, publishedAt } = version;
  const orgId = useOrgId();
  const agentId = useAgentId();
  const mayWrite = useMay(orgId, 'agent.write');
  const icon = { size: '1.15em', 'aria-hidden': true };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`${t('versions.actions')}: ${t('versions.number', { number })}`}
        >
          <IconDots {...icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconGitCompare {...icon} />}
          renderRoot={(props) => (
            <Link to={PAGE} params={{ orgId, agentId, number: String(number) }} {...props} />
          )}
        >
          {t('versions.compare')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconExternalLink {...icon} />}
          component="a"
          href={`/chat/${agentId}?version=${number}`}
          target="_blank"
        >
          {t('versions.preview')}
        </Menu.Item>
        {mayWrite && !isDraft && (
          <Menu.Item leftSection={<IconArrowBackUp {...icon} />} onClick={() => onAsk('restore')}>
            {t('versions.restore')}
          </Menu.Item>
        )}
        {mayWrite && !(isLive && publishedAt !== null) && (
          <Menu.Item leftSection={<IconRocket {...icon} />} onClick={() => onAsk('publish')}>
            {t('versions.publish')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function Restore({ number, opened, onClose }: { number: number; opened: boolean; onClose: () => void }) {
  const restore = useRestore(onClose);
  return (
    <ConfirmDialog
      opened={opened}
      title={t('versions.restoreNumber', { number })}
      text={t('versions.restoreText')}
      action={t('versions.restore')}
      busy={restore.isPending}
      onConfirm={() => restore.mutate(number)}
      onClose={onClose}
    />
  );
}
