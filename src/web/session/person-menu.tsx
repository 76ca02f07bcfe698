import { IconLogout, IconRobot, IconUser } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { t } from '../messages/t.ts';
import style from './person-menu.module.css';
import { sessionState } from './session.ts';
import { useStore } from '../store.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Hidden } from '../ui/hidden.tsx';
import { SmallMenu, type SmallMenuItem } from '../ui/small-menu.tsx';

/**
 * The signed-in person's menu, on pages that load no component library; nothing if nobody is. `short`: only the photo
 * on phones.
 */
export function PersonMenu({ short = false }: { short?: boolean }) {
  const { user } = useStore(sessionState);
  const navigate = useNavigate();
  if (!user) return null;
  const item = (text: string, Icon: typeof IconUser, run: () => void): SmallMenuItem => ({
    text,
    icon: <Icon size="1.15em" aria-hidden />,
    run,
  });
  const label = t('nav.accountOf', { name: user.name });
  const agents = item(t('nav.agents'), IconRobot, () => void navigate({ to: '/platform' }));
  const profile = item(
    t('nav.profile'),
    IconUser,
    () =>
      void navigate({
        to: user.isMember ? '/platform/{-$orgId}/account/profile' : '/app/account',
        params: {},
      }),
  );
  const signOut = item(t('nav.signOut'), IconLogout, () => void navigate({ to: '/auth/signout' }));
  return (
    <SmallMenu label={label} items={[...(user.isMember ? [agents] : []), profile, signOut]}>
      <Avatar round name={user.name} photo={user.profilePhoto} />
      <span className={style['name']} data-short={short} aria-hidden>
        {user.name}
      </span>
      <Hidden>{label}</Hidden>
    </SmallMenu>
  );
}
