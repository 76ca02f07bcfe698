import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/api.ts';
import { t } from '../../chat/shop/text.ts';
import { describeError } from '../../queries/query-client.ts';
import { ensureSignedIn } from '../../session/session.ts';
import style from './chat.module.css';

interface BuyNowProps {
  /** The address of the agent, without what is to be bought. */
  id: string;
  productId: string;
}

/** Somebody who has come to buy goes on to the checkout at once, as a guest where they are nobody yet. */
export function BuyNow({ id, productId }: BuyNowProps) {
  const navigate = useNavigate();
  const [said, setSaid] = useState(t('offers.leaving'));
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const buy = async () => {
      await ensureSignedIn();
      const { url } = await api.purchase.begin({ id: productId });
      // Whoever goes back does not buy again.
      await navigate({ to: '/chat/{-$id}', params: { id }, replace: true });
      if (url !== null) location.assign(url);
    };
    buy().catch((error: unknown) => setSaid(describeError(error)));
  }, [id, productId, navigate]);
  return (
    <p className={style['temporary']} role="status">
      {said}
    </p>
  );
}
