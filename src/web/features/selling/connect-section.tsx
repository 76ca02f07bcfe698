import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { connectStates } from '../../../contract/product.ts';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Callout } from '../../ui/callout.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Section } from '../../ui/section.tsx';
import { useKnownMay } from '../../session/use-role.ts';
import { requirementsInWords } from './requirements.ts';
import style from './selling.module.css';
import { accountQuery, useConnect } from './use-products.ts';

type State = (typeof connectStates)[number];

const tones: Record<State, Tone> = {
  new: 'neutral',
  incomplete: 'warning',
  ready: 'good',
  restricted: 'bad',
};
const labels = {
  new: 'selling.connect',
  incomplete: 'selling.connectGoOn',
  ready: 'selling.connectOpen',
  restricted: 'selling.connectGoOn',
} as const;

/** The account people pay into. Owners connect it; other members learn that. */
export function ConnectSection() {
  const isOwner = useKnownMay(useOrgId(), 'organization.own');
  if (isOwner === undefined) return null;
  if (!isOwner) return <Callout>{t('selling.notOwner')}</Callout>;
  return <OwnersSection />;
}

function OwnersSection() {
  const account = useQuery(accountQuery(useOrgId()));
  const connect = useConnect();
  return (
    <Section title={t('selling.account')}>
      <QueryView {...viewOf(account)} shape="line">
        {({ state, requirements, isTestMode }) => (
          <div className={style['account']}>
            <p>
              <Badge tone={tones[state]}>{t(`selling.accountState.${state}`)}</Badge>{' '}
              {isTestMode && <Badge tone="warning">{t('selling.testMode')}</Badge>}
            </p>
            <p className={style['soft']}>{t(`selling.account.${state}`)}</p>
            {requirements.length > 0 && (
              <p className={style['soft']}>
                {t('selling.requirements', { what: requirementsInWords(requirements) })}
              </p>
            )}
            <div>
              <Button
                variant={state === 'ready' ? 'default' : 'filled'}
                loading={connect.isPending}
                onClick={() => connect.mutate()}
              >
                {t(labels[state])}
              </Button>
            </div>
          </div>
        )}
      </QueryView>
    </Section>
  );
}
