import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazily } from '../../ui/later.ts';
import { t } from '../../messages/t.ts';
import { providersQuery } from '../../queries/queries.ts';
import { sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import style from './chat.module.css';
import { SignInLink } from './sign-in-link.tsx';

/** Loaded where it is offered. */
const GoogleButton = lazily(async () => (await import('../../session/google-button.tsx')).GoogleButton);

/** For guests and people not signed in: a way to sign in that leaves the conversation open. */
export function KeepConversations() {
  const { user, status } = useStore(sessionState);
  const isNobody = status === 'signed-out' || user?.isAnonymous === true;
  return isNobody && <WaysIn lead={t(user ? 'session.keep' : 'session.find')} />;
}

function WaysIn({ lead }: { lead: string }) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const { data: ways } = useQuery(providersQuery());
  return (
    <div className={style['keep']}>
      <p>{lead}</p>
      {ways?.providers.includes('google') && (
        <Suspense>
          <GoogleButton popup returnTo={path} />
        </Suspense>
      )}
      <SignInLink />
    </div>
  );
}
