import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiError } from '../../../contract/client.ts';
import type { purchase as contract, Purchase } from '../../../contract/product.ts';
import type { OutputOf } from '../../../contract/route.ts';
import { backgroundApi } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { describeError } from '../../queries/query-client.ts';
import { rememberPage } from '../../session/return-to.ts';
import { sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import { buttonClass, PlainButton } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import './messages.ts';

type Found = OutputOf<typeof contract.get>;

const LOOK_EVERY_MS = 2000;
const LATE_AFTER_MS = 90_000;

/**
 * The provider's return page. The server learns from the provider what was bought: until then this page polls, and
 * after a while says so and stops.
 */
export function Bought({ purchaseId }: { purchaseId: string }) {
  const { isLate, waitAgain } = useLateness();
  const { data, error, refetch } = useQuery({
    queryKey: ['purchase', purchaseId],
    queryFn: ({ signal }) => backgroundApi.purchase.get({ id: purchaseId }, { signal }),
    refetchInterval: ({ state }) => state.data?.purchase.state === 'pending' && !isLate && LOOK_EVERY_MS,
    meta: { failure: 'getPurchases', quiet: true },
  });
  if (error && isNotTheirs(error))
    return <Notice level={1} title={t('checkout.elsewhere')} text={t('checkout.elsewhereText')} />;
  if (error && !data) return <ErrorState message={describeError(error)} onRetry={() => void refetch()} />;
  if (data && data.purchase.state !== 'pending') return <Settled found={data} />;
  if (!isLate)
    return <Notice level={1} role="status" title={t('checkout.waiting')} text={t('checkout.waitingText')} />;
  return (
    <Notice
      level={1}
      role="status"
      title={t('checkout.late')}
      text={t('checkout.lateText')}
      action={
        <PlainButton kind="primary" onClick={waitAgain}>
          {t('checkout.look')}
        </PlainButton>
      }
    />
  );
}

function useLateness() {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (isLate) return undefined;
    const timer = setTimeout(() => setIsLate(true), LATE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isLate]);
  return { isLate, waitAgain: () => setIsLate(false) };
}

/** A visitor of another site has no session here: the frame they chat in knows what they have bought. */
function isNotTheirs(error: unknown): boolean {
  return error instanceof ApiError && [401, 403, 404].includes(error.status);
}

const endings = {
  paid: ['checkout.paid', 'checkout.paidText'],
  expired: ['checkout.notPaid', 'checkout.notPaidText'],
  refunded: ['checkout.over', 'checkout.overText'],
  disputed: ['checkout.over', 'checkout.overText'],
  ended: ['checkout.over', 'checkout.overText'],
} as const;

function Settled({ found: { purchase, agent, conversationId } }: { found: Found }) {
  const { user } = useStore(sessionState);
  const [title, text] = endings[purchase.state as Exclude<Purchase['state'], 'pending'>];
  const id = conversationId ?? agent.handle ?? agent.id;
  // What a guest has bought is in this browser alone.
  const isToKeep = purchase.state === 'paid' && user?.isAnonymous === true;
  return (
    <Notice
      level={1}
      role="status"
      title={t(title, { name: purchase.name })}
      text={[t(text, { agent: agent.name }), isToKeep && t('checkout.keep')].filter(Boolean).join(' ')}
      action={
        <>
          <Link className={buttonClass('primary')} to="/chat/{-$id}" params={{ id }}>
            {t('checkout.chat', { agent: agent.name })}
          </Link>{' '}
          {isToKeep && (
            <Link className={buttonClass('plain')} to="/auth" onClick={() => rememberPage(`/chat/${id}`)}>
              {t('nav.signIn')}
            </Link>
          )}
        </>
      }
    />
  );
}
