import { NativeSelect, Switch } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { callPolicies, type CallPolicy, type ToolOperation } from '../../../contract/tool.ts';
import { t } from '../../messages/t.ts';
import { Badge } from '../../ui/badge.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { MethodBadge } from './method-badge.tsx';
import style from './tools.module.css';

interface OperationRowProps {
  operation: ToolOperation;
  disabled: boolean;
  onChoose: (choice: { enabled?: boolean; policy?: CallPolicy; fixture?: null }) => void;
}

/** An operation: whether the agent may use it, when it may be called, and with what. */
export function OperationRow({ operation, disabled, onChoose }: OperationRowProps) {
  const { id: name, method, path, summary, enabled, policy, hasFixture } = operation;
  return (
    <li className={style['operation']}>
      <Switch
        label={<Hidden>{t('tools.enableName', { name })}</Hidden>}
        disabled={disabled}
        checked={enabled}
        onChange={({ currentTarget }) => onChoose({ enabled: currentTarget.checked })}
      />
      <div className={style['what']}>
        <span className={style['signature']}>
          {path && <MethodBadge method={method} />}
          <code className={style['path']}>{path || name}</code>
        </span>
        {summary && <span className={style['summaryText']}>{summary}</span>}
        {hasFixture && (
          <span className={style['signature']}>
            <Badge>{t('tools.fixture')}</Badge>
            <button
              type="button"
              className={style['unfold']}
              disabled={disabled}
              aria-label={t('tools.fixtureForgetName', { name })}
              onClick={() => onChoose({ fixture: null })}
            >
              {t('tools.fixtureForget')}
            </button>
          </span>
        )}
        <Parameters operation={operation} />
      </div>
      <NativeSelect
        aria-label={t('tools.policyOf', { name })}
        disabled={disabled}
        data={callPolicies.map((value) => ({ value, label: t(`tools.policy.${value}`) }))}
        value={policy}
        onChange={({ currentTarget }) => onChoose({ policy: currentTarget.value as CallPolicy })}
      />
    </li>
  );
}

function Parameters({ operation: { id: name, parameters } }: { operation: ToolOperation }) {
  const [opened, setOpened] = useState(false);
  const list = useId();
  if (parameters.length === 0) return <span className={style['detail']}>{t('tools.noParameters')}</span>;
  const Icon = opened ? IconChevronDown : IconChevronRight;
  return (
    <>
      <button
        type="button"
        className={style['unfold']}
        aria-expanded={opened}
        aria-controls={opened ? list : undefined}
        onClick={() => setOpened(!opened)}
      >
        <Icon size="1em" aria-hidden />
        {t('tools.parameters#', { count: parameters.length })}
      </button>
      {opened && (
        <ul id={list} className={style['parameters']} aria-label={t('tools.parametersOf', { name })}>
          {parameters.map((parameter) => (
            <li key={`${parameter.in} ${parameter.name}`}>
              <span className={style['signature']}>
                <code>{parameter.name}</code>
                <span className={style['soft']}>{t(`tools.in.${parameter.in}`)}</span>
                {parameter.required && <Badge tone="warning">{t('tools.required')}</Badge>}
              </span>
              <code className={style['shape']}>{parameter.shape}</code>
              {parameter.description && <span className={style['detail']}>{parameter.description}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
