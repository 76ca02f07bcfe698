import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { AuthUser } from '../../../contract/identity.ts';
import type { ReceivedInvite } from '../../../contract/member.ts';
import { t } from '../../messages/t.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import style from './auth.module.css';
import { AnswerInvite, SignInForInvite, SwitchForInvite } from './invite-ways.tsx';

interface InviteCardProps {
  invite: ReceivedInvite;
  token: string;
  user: AuthUser;
}

/** Who invites whom to what, and the one thing this person can do about it. */
export function InviteCard({ invite, token, user }: InviteCardProps) {
  const { organizationName: name, organizationPhoto: photo, email, role, status } = invite;
  return (
    <Stack gap="lg">
      <PageHeader
        title={
          <span className={style['invited']}>
            <Avatar name={name} photo={photo} />
            {t('invite.title', { name })}
          </span>
        }
        lead={t('invite.lead')}
      />
      <dl className={style['facts']}>
        <dt>{t('account.role')}</dt>
        <dd>
          {t(`account.role.${role}`)}
          <span className={style['hint']}>{t(`account.roleText.${role}`)}</span>
        </dd>
        <dt>{t('invite.for')}</dt>
        <dd>{email}</dd>
        <dt>{t('invite.state')}</dt>
        <dd>
          <Badge tone={status === 'pending' ? 'accent' : 'neutral'}>{t(`invite.status.${status}`)}</Badge>
        </dd>
      </dl>
      {status === 'pending' ? <Way invite={invite} token={token} user={user} /> : <Over invite={invite} />}
    </Stack>
  );
}

function Way({ invite, token, user }: InviteCardProps) {
  if (invite.isForMe) return <AnswerInvite token={token} />;
  if (user.isAnonymous || user.email === null) return <SignInForInvite email={invite.email} token={token} />;
  return <SwitchForInvite email={user.email} invited={invite.email} />;
}

function Over({ invite: { status, isForMe } }: { invite: ReceivedInvite }) {
  if (status === 'pending') return null;
  const isMine = status === 'accepted' && isForMe;
  return (
    <>
      <Callout>{t(`invite.over.${status}`)}</Callout>
      <Link to={isMine ? '/platform' : '/'} className={buttonClass('plain')}>
        {isMine ? t('auth.begin') : t('error.home')}
      </Link>
    </>
  );
}
