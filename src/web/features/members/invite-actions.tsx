import type { Invite } from '../../../contract/member.ts';
import style from './members.module.css';
import { ResendInvite } from './resend-invite.tsx';
import { RevokeInvite } from './revoke-invite.tsx';

/** An invite that can still be answered can be withdrawn; one that was not can be sent anew. */
export function InviteActions({ invite }: { invite: Invite }) {
  const { status } = invite;
  return (
    <div className={style['buttons']}>
      {(status === 'pending' || status === 'expired') && <ResendInvite invite={invite} />}
      {status === 'pending' && <RevokeInvite invite={invite} />}
    </div>
  );
}
