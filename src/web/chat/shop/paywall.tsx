import { useEffect, useState } from 'react';
import { useParts } from '../conversation-context.ts';
import { openWindow } from '../handing-over.ts';
import { TextButton } from '../../ui/text-button.tsx';
import type { Shop } from '../types.ts';
import { OfferCard } from './offer-card.tsx';
import style from './shop.module.css';
import { t } from './text.ts';

type Goods = Awaited<ReturnType<Shop['offers']>>;

/**
 * What has to be bought before the agent answers. Meanwhile the person's message is back in the composer, and can be
 * sent once they have paid.
 */
export function Paywall() {
  const { agent, chat, transport, describeError } = useParts();
  const [shop, setShop] = useState<Shop>();
  const [goods, setGoods] = useState<Goods>();
  const [problem, setProblem] = useState<string | null>(null);
  const buying = useBuying(shop, chat.refused?.message?.text ?? '', (error) =>
    setProblem(describeError(error)),
  );
  useEffect(() => {
    const open = async () => {
      const opened = await transport.shop?.();
      setShop(opened);
      setGoods(await opened?.offers());
    };
    open().catch((error: unknown) => setProblem(describeError(error)));
  }, [transport, describeError]);
  return (
    <section className={style['paywall']} aria-label={t('offers.title', { agent: agent.name })}>
      <header className={style['head']}>
        <h2 className={style['title']}>{t('offers.title', { agent: agent.name })}</h2>
        <TextButton text={t('offers.notNow')} onClick={chat.dropRefused} />
      </header>
      <p className={style['said']} role="status">
        {said(buying.state) ?? chat.refused?.reason}
        {buying.state === 'waiting' && buying.url !== null && (
          <>
            {' '}
            <a href={buying.url} target="_blank" rel="noopener noreferrer">
              {t('offers.openPage')}
            </a>
          </>
        )}
        {buying.state === 'still' && <TextButton text={t('offers.look')} onClick={buying.look} />}
      </p>
      {problem && (
        <p className={style['problem']} role="alert">
          {problem}
        </p>
      )}
      {buying.state !== 'done' && <Offers goods={goods} buying={buying} failed={problem !== null} />}
    </section>
  );
}

function Offers({ goods, buying, failed }: { goods: Goods | undefined; buying: Buying; failed: boolean }) {
  if (!goods) return failed ? null : <p role="status">{t('offers.loading')}</p>;
  const { offers, isTestMode } = goods;
  if (offers.length === 0) return <p>{t('offers.none')}</p>;
  return (
    <>
      {isTestMode && <p className={style['mode']}>{t('offers.testMode')}</p>}
      <ul className={style['offers']}>
        {offers.map((offer) => {
          const { name } = offer.detailsConfig;
          const isFree = offer.paymentConfig.kind === 'free';
          return (
            <li key={offer.id}>
              <OfferCard
                offer={offer}
                action={
                  <button
                    type="button"
                    className={style['buy']}
                    disabled={buying.state === 'leaving'}
                    aria-label={isFree ? t('offers.startName', { name }) : t('offers.buyName', { name })}
                    onClick={() => buying.buy(offer.id)}
                  >
                    {isFree ? t('offers.start') : t('offers.buy')}
                  </button>
                }
              />
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** `leaving`: the page goes to the provider. `waiting`: the provider's page is open alongside. `still`: stopped waiting. */
type BuyingState = 'idle' | 'leaving' | 'waiting' | 'still' | 'done';
type Buying = ReturnType<typeof useBuying>;

function said(state: BuyingState): string | null {
  return state === 'idle' ? null : t(`offers.${state}`);
}

const LOOK_EVERY_MS = 2000;
const LOOKS_MAX = 300;

function useBuying(shop: Shop | undefined, draft: string, refused: (error: unknown) => void) {
  const [state, setState] = useState<BuyingState>('idle');
  const [begun, setBegun] = useState<{ purchaseId: string; url: string | null }>();
  const purchaseId = begun?.purchaseId;
  useEffect(() => {
    if (state !== 'waiting' || !shop || purchaseId === undefined) return undefined;
    let looks = 0;
    const timer = setInterval(() => {
      looks += 1;
      if (looks > LOOKS_MAX) return setState('still');
      void shop.isPaid(purchaseId).then(
        (isPaid) => isPaid && setState('done'),
        () => undefined,
      );
      return undefined;
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [state, shop, purchaseId]);

  const buy = (productId: string) => {
    if (!shop) return;
    // Opened before any await: later it would not count as a response to a click.
    const beside = shop.leaves ? null : openWindow();
    setState('leaving');
    void begin(shop, productId, beside).catch((error: unknown) => {
      beside?.close();
      setState('idle');
      refused(error);
    });
  };
  const begin = async (from: Shop, productId: string, beside: Window | null) => {
    const next = await from.begin(productId, draft);
    setBegun(next);
    if (next.url === null) beside?.close();
    else if (from.leaves) return location.assign(next.url);
    else beside?.location.replace(next.url);
    setState(next.url === null ? 'done' : 'waiting');
  };
  return { state, url: begun?.url ?? null, buy, look: () => setState('waiting') };
}
