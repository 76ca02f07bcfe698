import {
  IconBook2,
  IconBuilding,
  IconBuildingPlus,
  IconDownload,
  IconKeyboard,
  IconLogin,
  IconLogout,
  IconMessages,
  IconPlus,
  IconSunMoon,
  IconUserPlus,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { may, type Permission, type Role } from '../../contract/access.ts';
import { t } from '../messages/t.ts';
import { organizationsQuery } from '../queries/queries.ts';
import { sessionState } from '../session/session.ts';
import { useStore } from '../store.ts';
import { chooseColourMode, colourMode, colourModes } from '../theme.ts';
import type { Command } from '../ui/command-box.tsx';
import { install, installOffer } from './install.ts';
import { opened } from './opened.ts';
import type { Place } from './use-place.ts';

const icon = (Icon: typeof IconPlus) => <Icon size="1.25em" aria-hidden />;

/** The actions available everywhere to a person with this role. */
export function useActions(place: Place, role: Role | undefined): Command[] {
  return [...useOrganizationActions(place, role), ...useOwnActions()];
}

function useOrganizationActions({ orgId, agentId, isPlatform }: Place, role: Role | undefined): Command[] {
  const navigate = useNavigate();
  const { user } = useStore(sessionState);
  const { data: organizations = [] } = useQuery({
    ...organizationsQuery(),
    enabled: user?.isMember === true,
  });
  const mayDo = (permission: Permission) => role !== undefined && may(role, permission);
  const actions: (Command | false)[] = [
    mayDo('agent.write') && {
      id: 'create-agent',
      title: t('agents.create'),
      icon: icon(IconPlus),
      run: () => void navigate({ to: '/platform/{-$orgId}/agent/create', params: { orgId } }),
    },
    agentId !== undefined &&
      mayDo('agent.write') && {
        id: 'add-knowledge',
        title: t('knowledge.add'),
        icon: icon(IconBook2),
        run: () =>
          void navigate({
            to: '/platform/{-$orgId}/agent/$agentId/knowledge/create',
            params: { orgId, agentId },
          }),
      },
    mayDo('organization.manage') && {
      id: 'invite',
      title: t('members.invite'),
      icon: icon(IconUserPlus),
      run: () => void navigate({ to: '/platform/{-$orgId}/account/members/invite', params: { orgId } }),
    },
    isPlatform && {
      id: 'new-organization',
      title: t('account.newOrganization'),
      icon: icon(IconBuildingPlus),
      run: () => opened.set('new-organization'),
    },
    ...organizations
      .filter(({ id }) => id !== orgId || !isPlatform)
      .map(({ id, name }) => ({
        id: `organization-${id}`,
        title: t('commands.toOrganization', { name }),
        icon: icon(IconBuilding),
        run: () => void navigate({ to: '/platform/{-$orgId}/agent', params: { orgId: id } }),
      })),
  ];
  return actions.filter((action) => action !== false);
}

function useOwnActions(): Command[] {
  const navigate = useNavigate();
  const { user } = useStore(sessionState);
  const mode = useStore(colourMode);
  const canInstall = useStore(installOffer) !== null;
  const actions: (Command | false)[] = [
    {
      id: 'conversations',
      title: t('nav.conversations'),
      icon: icon(IconMessages),
      run: () => void navigate({ to: '/chat/{-$id}', params: { id: undefined } }),
    },
    ...colourModes
      .filter((other) => other !== mode)
      .map((other) => ({
        id: `mode-${other}`,
        title: t('commands.toMode', { mode: t(`account.colourMode.${other}`) }),
        icon: icon(IconSunMoon),
        run: () => chooseColourMode(other),
      })),
    {
      id: 'shortcuts',
      title: t('commands.shortcuts'),
      icon: icon(IconKeyboard),
      run: () => opened.set('shortcuts'),
    },
    canInstall && { id: 'install', title: t('commands.install'), icon: icon(IconDownload), run: install },
    user
      ? {
          id: 'sign-out',
          title: t('nav.signOut'),
          icon: icon(IconLogout),
          run: () => void navigate({ to: '/auth/signout' }),
        }
      : {
          id: 'sign-in',
          title: t('nav.signIn'),
          icon: icon(IconLogin),
          run: () => void navigate({ to: '/auth' }),
        },
  ];
  return actions.filter((action) => action !== false);
}
