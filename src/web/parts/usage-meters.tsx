import type { CountKind, Usage } from '../../contract/billing.ts';
import { formatBytes, formatNumber } from '../format.ts';
import { t } from '../messages/t.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { HowFar } from '../ui/how-far.tsx';

const kinds: readonly CountKind[] = [
  'agents',
  'members',
  'teams',
  'knowledgeBytes',
  'storedBytes',
  'toolsAnAgent',
  'products',
];

/** Formats bytes as a size, everything else as a number. */
export function formatCount(kind: CountKind, count: number): string {
  return kind === 'knowledgeBytes' || kind === 'storedBytes' ? formatBytes(count) : formatNumber(count);
}

/** The usage of everything a plan limits. */
export function UsageMeters({ usage: { credits, counts, plan } }: { usage: Usage }) {
  return (
    <Facts>
      <Fact name={t('billing.kind.credits')}>
        <Meter
          name={t('billing.kind.credits')}
          used={credits.used + credits.reserved}
          limit={credits.limit}
          format={formatNumber}
        />
      </Fact>
      {credits.bonus > 0 && <Fact name={t('billing.kind.bonus')}>{formatNumber(credits.bonusLeft)}</Fact>}
      {kinds.map((kind) => (
        <Fact key={kind} name={t(`billing.kind.${kind}`)}>
          <Meter
            name={t(`billing.kind.${kind}`)}
            used={counts[kind]}
            limit={plan?.[kind] ?? null}
            format={(count) => formatCount(kind, count)}
          />
        </Fact>
      ))}
    </Facts>
  );
}

interface MeterProps {
  name: string;
  used: number;
  /** Null: unlimited. */
  limit: number | null;
  format: (count: number) => string;
}

function Meter({ name, used, limit, format }: MeterProps) {
  if (limit === null) return format(used);
  return (
    <>
      {t('billing.of', { used: format(used), limit: format(limit) })}
      <HowFar label={name} value={Math.min(used, limit)} max={limit} />
    </>
  );
}
