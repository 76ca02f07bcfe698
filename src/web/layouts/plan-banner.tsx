import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Usage } from '../../contract/billing.ts';
import { USAGE_BANNER_PERCENT } from '../../contract/limits.ts';
import { usageQuery } from '../billing-queries.ts';
import { formatDay, formatShare } from '../format.ts';
import { t } from '../messages/t.ts';
import { Callout } from '../ui/callout.tsx';
import { useMay } from '../use-role.ts';
import style from './plan-banner.module.css';

/** How often it is looked while the platform is open. */
const LOOK_EVERY_MS = 300_000;

/** Says on every page of an organization that its answers come to their end, or that a payment was refused. */
export function PlanBanner({ orgId }: { orgId: string }) {
  const { data: usage } = useQuery({ ...usageQuery(orgId), refetchInterval: LOOK_EVERY_MS });
  const isOwner = useMay(orgId, 'organization.own');
  const words = usage && wordsOf(usage);
  if (!words) return null;
  return (
    <div className={style['banner']}>
      <Callout tone="bad">
        <span>{words}</span>
        {isOwner && (
          <Link to="/platform/{-$orgId}/account/billing" params={{ orgId }}>
            {t('billing.bannerOwner')}
          </Link>
        )}
      </Callout>
    </div>
  );
}

function wordsOf({ credits: { used, limit, bonus }, holdsUntil, planType }: Usage): string | undefined {
  if (holdsUntil !== null && planType !== 'FREE_PLAN')
    return t('billing.bannerPastDue', { date: formatDay(holdsUntil) });
  if (limit === null) return undefined;
  const most = limit + bonus;
  if (used * 100 < most * USAGE_BANNER_PERCENT) return undefined;
  if (used >= most) return t('billing.bannerAll');
  return t('billing.bannerUsed', { percent: formatShare(Math.floor((used * 100) / most) / 100) });
}
