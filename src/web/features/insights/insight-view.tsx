import { IconChartBar } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../../contract/client.ts';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../queries/query-props.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useMay } from '../../session/use-role.ts';
import './messages.ts';

interface InsightViewProps<T> {
  orgId: string;
  insight: UseQueryResult<T>;
  children: (found: T) => ReactNode;
}

/** The results; for more days than the plan shows, a link to the plans instead, since retrying wouldn't help. */
export function InsightView<T>({ orgId, insight, children }: InsightViewProps<T>) {
  const { data, error } = insight;
  const isBeyondPlan = data === undefined && error instanceof ApiError && error.code === 'quota/exceeded';
  if (isBeyondPlan) return <BeyondPlan orgId={orgId} text={error.message} />;
  return (
    <QueryView {...viewOf(insight)} shape="card">
      {children}
    </QueryView>
  );
}

function BeyondPlan({ orgId, text }: { orgId: string; text: string }) {
  const isOwner = useMay(orgId, 'organization.own');
  return (
    <Notice
      role="status"
      icon={<IconChartBar size="1.25em" aria-hidden />}
      title={t('insights.beyondPlan')}
      text={text}
      action={
        isOwner && (
          <Link
            to="/platform/{-$orgId}/account/billing"
            params={{ orgId }}
            className={buttonClass('primary')}
          >
            {t('billing.bannerOwner')}
          </Link>
        )
      }
    />
  );
}
