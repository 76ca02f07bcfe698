import { useQuery } from '@tanstack/react-query';
import type { Invite } from '../../../contract/member.ts';
import { t } from '../../messages/t.ts';
import { invitesQuery } from '../../queries/people-queries.ts';
import { viewOf } from '../../queries/query-props.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { InviteActions } from './invite-actions.tsx';
import style from './members.module.css';

const tones: Record<Invite['status'], Tone> = {
  pending: 'accent',
  accepted: 'good',
  declined: 'neutral',
  revoked: 'neutral',
  expired: 'warning',
};

/** Invitations that have not led to a member, newest first; those whose address matches the member search. */
export function InviteList({ orgId, search }: { orgId: string; search: string }) {
  const invites = useQuery(invitesQuery(orgId));
  return (
    <section aria-labelledby="invites">
      <h2 id="invites" className={style['heading']}>
        {t('invites.title')}
      </h2>
      <QueryView {...viewOf(invites)}>
        {(list) => {
          const open = list.filter(({ status }) => status !== 'accepted');
          const found = open.filter(({ email }) => email.toLowerCase().includes(search.trim().toLowerCase()));
          return found.length > 0 ? (
            <Table invites={found} />
          ) : (
            <p className={style['none']}>{t(open.length > 0 ? 'invites.notFound' : 'invites.none')}</p>
          );
        }}
      </QueryView>
    </section>
  );
}

function Table({ invites }: { invites: readonly Invite[] }) {
  return (
    <DataTable
      label={t('invites.title')}
      columns={[t('auth.email'), t('members.role'), t('invite.state'), t('invites.ends')]}
      actions={t('invites.actions')}
    >
      {invites.map((invite) => (
        <tr key={invite.id}>
          <Cell kind="main">{invite.email}</Cell>
          <Cell kind="faint">{t(`account.role.${invite.role}`)}</Cell>
          <Cell>
            <Badge tone={tones[invite.status]}>{t(`invite.status.${invite.status}`)}</Badge>
          </Cell>
          <Cell kind="faint" label={t('invites.ends')}>
            {invite.status === 'pending' && <TimeAgo at={invite.expiresAt} />}
          </Cell>
          <Cell kind="actions">
            <InviteActions invite={invite} />
          </Cell>
        </tr>
      ))}
    </DataTable>
  );
}
