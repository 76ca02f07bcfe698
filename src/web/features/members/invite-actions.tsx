import type { Invite } from '../../../contract/member.ts';
import style from './members.module.css';
import { ResendInvite } from './resend-invite.tsx';
import { RevokeInvite } from './revoke-invite.tsx';

/** A pending invitation can be withdrawn; an unanswered one can be resent. */
export function InviteActions({ invite }: { invite: Invite }) {
  const { status } = invite;
  return (
    <div className={style['buttons']}>
      {(status === 'pending' || status === 'expired') && <ResendInvite invite={invite} />}
      {status === 'pending' && <RevokeInvite invite={invite} />}
    </div>
  );
}
