import { useQuery } from '@tanstack/react-query';
import type { Usage } from '../../../contract/billing.ts';
import { api } from '../../api.ts';
import { formatBytes, formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../query-props.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import { HowFar } from '../../ui/how-far.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Section } from '../../ui/section.tsx';

/** The plan of one organization. */
export function PlanSection({ organizationId, name }: { organizationId: string; name: string }) {
  const usage = useQuery({
    queryKey: ['usage', organizationId],
    queryFn: async ({ signal }) => (await api.billing.getUsage({ organizationId }, { signal })).usage,
    meta: { failure: 'getUsage', quiet: true },
  });
  return (
    <Section title={name}>
      <QueryView {...viewOf(usage)} shape="line">
        {(found) => <PlanFacts usage={found} />}
      </QueryView>
    </Section>
  );
}

function PlanFacts({ usage: { planType, credits, plan } }: { usage: Usage }) {
  const { used, reserved, limit } = credits;
  const taken = used + reserved;
  if (limit === null || plan === null) {
    return (
      <Facts>
        <Fact name={t('membership.plan')}>{t('membership.unlimited')}</Fact>
        <Fact name={t('membership.answers')}>{formatNumber(taken)}</Fact>
      </Facts>
    );
  }
  const upTo = (most: string) => t('membership.upTo', { limit: most });
  return (
    <Facts>
      <Fact name={t('membership.plan')}>
        <strong>{t(`plan.${planType}`)}</strong>
      </Fact>
      <Fact name={t('membership.answers')}>
        {t('membership.of', { used: formatNumber(taken), limit: formatNumber(limit) })}
        <HowFar label={t('membership.answers')} value={Math.min(taken, limit)} max={limit} />
      </Fact>
      <Fact name={t('membership.agents')}>{upTo(formatNumber(plan.agents))}</Fact>
      <Fact name={t('membership.members')}>{upTo(formatNumber(plan.members))}</Fact>
      <Fact name={t('membership.knowledge')}>{upTo(formatBytes(plan.knowledgeBytes))}</Fact>
      <Fact name={t('membership.files')}>{upTo(formatBytes(plan.storedBytes))}</Fact>
    </Facts>
  );
}
