import { Code } from '@mantine/core';
import type { OutputOf } from '../../../contract/route.ts';
import type { tool as contract } from '../../../contract/tool.ts';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { Card } from '../../ui/card.tsx';
import { CallState } from './call-state.tsx';
import style from './tools.module.css';
import { indented } from './trial-values.ts';

type Result = OutputOf<typeof contract.test>;

/** What was sent, with secrets masked, and what came back. */
export function TrialResult({ result }: { result: Result }) {
  const { state, status, durationMs, request, response } = result;
  return (
    <Card>
      <div className={style['part']}>
        <p className={style['signature']}>
          <CallState state={state} />
          {status !== null && <span>{t('tools.httpStatus', { status })}</span>}
          <span className={style['soft']}>{t('tools.milliseconds', { ms: formatNumber(durationMs) })}</span>
        </p>
        <CodePart title={t('tools.sent')} code={request && textOf(request)} none={t('tools.notSent')} />
        <CodePart title={t('tools.response')} code={indented(response)} none={t('tools.noResponse')} />
      </div>
    </Card>
  );
}

/** As sent over the network. */
function textOf({ method, url, headers, body }: NonNullable<Result['request']>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${url}`, ...lines, ...(body ? ['', indented(body)] : [])].join('\n');
}

interface CodePartProps {
  title: string;
  code: string | null;
  /** Shown if there is none. */
  none: string;
}

/** A block of code, under its title. */
export function CodePart({ title, code, none }: CodePartProps) {
  return (
    <div className={style['codePart']}>
      <h3>{title}</h3>
      {code ? (
        <Code block tabIndex={0} role="region" aria-label={title}>
          {code}
        </Code>
      ) : (
        <p className={style['soft']}>{none}</p>
      )}
    </div>
  );
}
