import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FormEventHandler, ReactNode } from 'react';
import type { Chatbot } from '../../../contract/chatbot.ts';
import { t } from '../../messages/t.ts';
import { agentQuery } from '../../queries/queries.ts';
import { viewOf } from '../../queries/query-props.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { Callout } from '../../ui/callout.tsx';
import { Card } from '../../ui/card.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { UnsavedGuard } from '../../forms/unsaved-guard.tsx';
import { useMay } from '../../session/use-role.ts';
import style from './settings.module.css';

/** Loads the current agent for a page of its settings. */
export function WithAgent({ children }: { children: (agent: Chatbot) => ReactNode }) {
  const agent = useQuery(agentQuery(useOrgId(), useAgentId()));
  return <QueryView {...viewOf(agent)}>{children}</QueryView>;
}

interface SettingsFormProps {
  onSubmit: FormEventHandler<HTMLFormElement>;
  busy: boolean;
  /** True if there is something to save. */
  changed: boolean;
  children: ReactNode;
}

/** A form that is read-only for people who can't change it. Unsaved changes aren't left by mistake. */
export function SettingsForm({ onSubmit, busy, changed, children }: SettingsFormProps) {
  const mayWrite = useMay(useOrgId(), 'agent.write');
  return (
    <Card kind="form">
      <UnsavedGuard changed={changed} />
      <form noValidate onSubmit={onSubmit}>
        <fieldset className={style['fields']} disabled={!mayWrite}>
          <Stack>
            {!mayWrite && <Callout>{t('settings.mayNotWrite')}</Callout>}
            {children}
            <div className={style['save']}>
              <Button type="submit" loading={busy} disabled={!changed}>
                {t('ui.save')}
              </Button>
            </div>
          </Stack>
        </fieldset>
      </form>
    </Card>
  );
}
