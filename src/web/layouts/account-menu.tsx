import { Menu } from '@mantine/core';
import {
  IconCreditCard,
  IconDots,
  IconDownload,
  IconKeyboard,
  IconLogout,
  IconMessages,
  IconUser,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { may } from '../../contract/access.ts';
import { install, installOffer } from '../commands/install.ts';
import { opened } from '../commands/opened.ts';
import { t } from '../messages/t.ts';
import { roleQuery } from '../queries/queries.ts';
import { sessionState } from '../session/session.ts';
import { useStore } from '../store.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Hidden } from '../ui/hidden.tsx';
import style from './side-bar.module.css';

const pages = [
  { to: '/platform/{-$orgId}/account/profile', icon: IconUser, title: 'account.profile' },
  {
    to: '/platform/{-$orgId}/account/members',
    icon: IconUsers,
    title: 'members.title',
  },
  {
    to: '/platform/{-$orgId}/account/teams',
    icon: IconUsersGroup,
    title: 'teams.title',
  },
  {
    to: '/platform/{-$orgId}/account/billing',
    icon: IconCreditCard,
    title: 'billing.title',
    needs: 'organization.own',
  },
] as const;

export function AccountMenu({ orgId }: { orgId: string | undefined }) {
  const { user } = useStore(sessionState);
  const { data: role } = useQuery({ ...roleQuery(orgId ?? ''), enabled: orgId !== undefined });
  if (!user) return null;
  const offered = pages.filter((page) => !('needs' in page) || (role && may(role, page.needs)));
  return (
    <Menu position="top-start" width="target">
      <Menu.Target>
        <button type="button" className={style['opener']}>
          <Avatar round name={user.name} photo={user.profilePhoto} />
          <span className={style['label']}>{user.name}</span>
          <Hidden>{t('nav.account')}</Hidden>
          <IconDots size="1em" aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {offered.map(({ to, icon: Icon, title }) => (
          <Menu.Item
            key={to}
            leftSection={<Icon size="1em" aria-hidden />}
            renderRoot={(props) => <Link to={to} params={{ orgId }} {...props} />}
          >
            {t(title)}
          </Menu.Item>
        ))}
        <Menu.Item
          leftSection={<IconMessages size="1em" aria-hidden />}
          renderRoot={(props) => <Link to="/chat/{-$id}" params={{}} {...props} />}
        >
          {t('nav.conversations')}
        </Menu.Item>
        <OfThisBrowser />
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size="1em" aria-hidden />}
          renderRoot={(props) => <Link to="/auth/signout" preload={false} {...props} />}
        >
          {t('nav.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function OfThisBrowser() {
  const canInstall = useStore(installOffer) !== null;
  return (
    <>
      <Menu.Item
        leftSection={<IconKeyboard size="1em" aria-hidden />}
        onClick={() => opened.set('shortcuts')}
      >
        {t('commands.shortcuts')}
      </Menu.Item>
      {canInstall && (
        <Menu.Item leftSection={<IconDownload size="1em" aria-hidden />} onClick={install}>
          {t('commands.install')}
        </Menu.Item>
      )}
    </>
  );
}
