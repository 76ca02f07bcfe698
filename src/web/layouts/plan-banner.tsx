import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Usage } from '../../contract/billing.ts';
import { USAGE_ALERTS_MIN_LIMIT, USAGE_BANNER_PERCENT } from '../../contract/limits.ts';
import { countables } from '../../contract/plans.ts';
import { usageQuery } from '../queries/billing-queries.ts';
import { formatDay, formatShare } from '../format.ts';
import { t } from '../messages/t.ts';
import { Callout } from '../ui/callout.tsx';
import { useMay } from '../session/use-role.ts';
import style from './plan-banner.module.css';

/** How often to check while the platform is open. */
const LOOK_EVERY_MS = 300_000;

/** Says on every page of an organization that something in its plan is running out, or that a payment was declined. */
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

function wordsOf(usage: Usage): string | undefined {
  const { credits, holdsUntil, planType } = usage;
  if (holdsUntil !== null && planType !== 'FREE_PLAN')
    return t('billing.bannerPastDue', { date: formatDay(holdsUntil) });
  return creditsInWords(credits) ?? countInWords(usage);
}

function creditsInWords({ used, limit, bonus }: Usage['credits']): string | undefined {
  if (limit === null) return undefined;
  const most = limit + bonus;
  if (used * 100 < most * USAGE_BANNER_PERCENT) return undefined;
  if (used >= most) return t('billing.bannerAll');
  return t('billing.bannerUsed', { percent: formatShare(Math.floor((used * 100) / most) / 100) });
}

/** The plan's limit that is closest to being used up. */
function countInWords({ counts, plan }: Usage): string | undefined {
  if (plan === null) return undefined;
  const parts = countables.map((kind) => ({ kind, limit: plan[kind], part: counts[kind] / plan[kind] }));
  const [most] = parts
    .filter(({ limit, part }) => limit >= USAGE_ALERTS_MIN_LIMIT && part * 100 >= USAGE_BANNER_PERCENT)
    .toSorted((a, b) => b.part - a.part);
  if (!most) return undefined;
  return t('billing.bannerCount', {
    what: t(`billing.kind.${most.kind}`),
    percent: formatShare(Math.floor(most.part * 100) / 100),
  });
}
