import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../contract/client.ts';
import { api } from '../../api/api.ts';
import { t } from '../../chat/shop/text.ts';
import { describeError } from '../../queries/query-client.ts';
import { isNotFound } from '../../queries/query-props.ts';
import { ensureSignedIn } from '../../session/session.ts';
import { TextButton } from '../../ui/text-button.tsx';
import style from './chat.module.css';

interface BuyNowProps {
  /** The agent's address, without the product. */
  id: string;
  productId: string;
}

/** A person who has come to buy goes straight to the checkout, as a guest if not signed in. */
export function BuyNow({ id, productId }: BuyNowProps) {
  const navigate = useNavigate();
  const [failure, setFailure] = useState<unknown>(null);
  const begun = useRef(false);
  const buy = useCallback(() => {
    setFailure(null);
    const begin = async () => {
      await ensureSignedIn();
      const { url } = await api.purchase.begin({ id: productId });
      // Going back doesn't buy again.
      await navigate({ to: '/chat/{-$id}', params: { id }, replace: true });
      if (url !== null) location.assign(url);
    };
    begin().catch(setFailure);
  }, [id, productId, navigate]);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    buy();
  }, [buy]);
  const isGone = isNotFound(failure);
  const isOwned = failure instanceof ApiError && failure.code === 'payment/owned';
  return (
    <p className={style['temporary']} role="status">
      {failure === null && t('offers.leaving')}
      {isGone && t('offers.gone')}
      {failure !== null && !isGone && (
        <>
          {describeError(failure)} {!isOwned && <TextButton text={t('offers.again')} onClick={buy} />}
        </>
      )}
    </p>
  );
}
