import { useEffect, useState } from 'react';
import type { AnswerReceipt } from '../../contract/answer.ts';
import { formatNumber, formatScore } from '../format.ts';
import { Markdown } from './markdown/markdown.tsx';
import { useParts } from './conversation-context.ts';
import style from './passage-panel.module.css';
import { SidePanel } from './side-panel.tsx';
import { t } from './answer-text.ts';
import type { ShownMessage } from './types.ts';

interface ReceiptPanelProps {
  messageId: string;
  /** The answer's state: while it continues, its receipt changes. */
  state: ShownMessage['state'];
  onClose: () => void;
}

/** How an answer was made, for people who maintain the agent. */
export function ReceiptPanel({ messageId, state, onClose }: ReceiptPanelProps) {
  const { transport, describeError } = useParts();
  const [receipt, setReceipt] = useState<AnswerReceipt | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let isOver = false;
    transport.receipt?.(messageId).then(
      (found) => isOver || setReceipt(found),
      (error: unknown) => isOver || setProblem(describeError(error)),
    );
    return () => {
      isOver = true;
    };
    // Reloads when the answer has progressed.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [transport, describeError, messageId, state]);
  return (
    <SidePanel
      label={t('chat.receipt')}
      title={<h2 className={style['title']}>{t('chat.receipt')}</h2>}
      onClose={onClose}
    >
      {problem && <p role="alert">{problem}</p>}
      {!problem && !receipt && <p role="status">{t('chat.receiptLoading')}</p>}
      {receipt && (
        <div className={style['scroll']} tabIndex={0} role="group" aria-label={t('chat.receipt')}>
          <Facts receipt={receipt} />
          {receipt.query && (
            <section className={style['group']}>
              <h3>{t('chat.receiptQuery')}</h3>
              <p>{receipt.query}</p>
            </section>
          )}
          <Tools receipt={receipt} />
          <Passages receipt={receipt} />
        </div>
      )}
    </SidePanel>
  );
}

function Facts({ receipt }: { receipt: AnswerReceipt }) {
  const ms = (value: number | null) =>
    value !== null && t('chat.ms', { count: formatNumber(Math.round(value)) });
  const count = (value: number | null) => value !== null && formatNumber(value);
  const facts = [
    ['chat.receiptModel', receipt.model],
    ['chat.receiptFailed', receipt.failedModels.join(', ')],
    ['chat.receiptVersion', count(receipt.agentVersion)],
    ['chat.receiptInput', count(receipt.inputTokens)],
    ['chat.receiptCached', receipt.cachedTokens !== 0 && count(receipt.cachedTokens)],
    ['chat.receiptOutput', count(receipt.outputTokens)],
    ['chat.receiptFirst', ms(receipt.firstTokenMs)],
    ['chat.receiptTotal', ms(receipt.totalMs)],
    ['chat.receiptCredits', count(receipt.credits)],
    ['chat.receiptCost', receipt.costUsd === null ? t('chat.receiptNoCost') : `${receipt.costUsd} USD`],
  ] as const;
  return (
    <dl className={style['facts']}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name} className={style['fact']}>
              <dt>{t(name)}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Tools({ receipt: { tools } }: { receipt: AnswerReceipt }) {
  if (tools.length === 0) return null;
  return (
    <section className={style['group']}>
      <h3>{t('chat.receiptTools')}</h3>
      <dl className={style['facts']}>
        {tools.map(({ tool, operation, state }, place) => (
          <div key={place} className={style['fact']}>
            <dt>{t('chat.receiptTool', { tool, operation })}</dt>
            <dd>{t(`chat.tool.${state}`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Passages({ receipt: { passages } }: { receipt: AnswerReceipt }) {
  return (
    <section className={style['group']}>
      <h3>{t('chat.receiptPassages')}</h3>
      {passages.length === 0 && <p>{t('chat.receiptNone')}</p>}
      <ol className={style['found']}>
        {passages.map(({ chunkId, title, text, score, cited }) => (
          <li key={chunkId}>
            <details>
              <summary>
                <span className={style['name']}>{title ?? t('chat.receiptGone')}</span>
                {cited && <span className={style['cited']}>{t('chat.receiptCited')}</span>}
                <span>{formatScore(score)}</span>
              </summary>
              {text && <Markdown text={text} />}
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}
