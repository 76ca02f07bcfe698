import { useLoaderData } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState } from 'react';
import { handOver, writeAnswer } from '../../chat/handing-over.ts';
import { t } from '../../messages/t.ts';
import { PlainButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useCopy } from '../../hooks/use-copy.ts';
import style from './connected.module.css';

type Outcome = 'handing' | 'taken' | 'left';

/** Where services redirect people who connect an account: passes the result to the conversation, and closes. */
export function ConnectedScreen() {
  const { code, state } = useLoaderData({ from: '/connected' });
  const [outcome, setOutcome] = useState<Outcome>('handing');
  const begun = useRef(false);
  const isAnswer = code !== '' && state !== '';
  useEffect(() => {
    if (begun.current || !isAnswer) return;
    begun.current = true;
    // Nothing of it stays in the address, to be read later.
    history.replaceState(history.state, '', '/connected');
    void handOver({ state, code }).then((isTaken) => {
      setOutcome(isTaken ? 'taken' : 'left');
      if (isTaken) window.close();
    });
  }, [code, state, isAnswer]);
  if (!isAnswer) return <Notice bare level={1} title={t('connected.not')} text={t('connected.notText')} />;
  if (outcome === 'handing') return <Skeleton shape="row" titled />;
  if (outcome === 'taken')
    return <Notice bare level={1} title={t('connected.done')} text={t('connected.doneText')} />;
  return (
    <Notice
      bare
      level={1}
      title={t('connected.left')}
      text={t('connected.leftText')}
      action={<ToCarry text={writeAnswer({ state, code })} />}
    />
  );
}

function ToCarry({ text }: { text: string }) {
  const id = useId();
  const [isCopied, copy] = useCopy();
  return (
    <span className={style['code']}>
      <label htmlFor={id}>{t('connected.code')}</label>
      <input id={id} readOnly value={text} onFocus={(event) => event.target.select()} />
      <PlainButton onClick={() => void copy(text)}>
        {isCopied ? t('connected.copied') : t('connected.copy')}
      </PlainButton>
    </span>
  );
}
