import { Menu } from '@mantine/core';
import { IconBuilding, IconCheck, IconPlus, IconSelector } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { opened } from '../commands/opened.ts';
import { t } from '../messages/t.ts';
import { organizationsQuery } from '../queries/queries.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Hidden } from '../ui/hidden.tsx';
import style from './side-bar.module.css';

/** Switches between the person's organizations; pictures tell apart two with the same name. */
export function OrganizationMenu({ orgId }: { orgId: string }) {
  const { data: organizations = [] } = useQuery(organizationsQuery());
  const current = organizations.find(({ id }) => id === orgId);
  return (
    <Menu position="bottom-start" width="target">
      <Menu.Target>
        <button type="button" className={style['opener']}>
          <Avatar name={current?.name ?? ''} photo={current?.profilePhoto ?? ''} />
          <span className={style['label']}>{current?.name}</span>
          <Hidden>{t('nav.switchOrganization')}</Hidden>
          <IconSelector size="1em" aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('nav.organizations')}</Menu.Label>
        {organizations.map(({ id, name, profilePhoto }) => (
          <Menu.Item
            key={id}
            renderRoot={(props) => <Link to="/platform/{-$orgId}/agent" params={{ orgId: id }} {...props} />}
            leftSection={<Avatar name={name} photo={profilePhoto} />}
            rightSection={id === orgId && <IconCheck size="1em" aria-hidden />}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconBuilding size="1em" aria-hidden />}
          renderRoot={(props) => (
            <Link to="/platform/{-$orgId}/account/organization" params={{ orgId }} {...props} />
          )}
        >
          {t('nav.organization')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconPlus size="1em" aria-hidden />}
          onClick={() => opened.set('new-organization')}
        >
          {t('account.newOrganization')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
