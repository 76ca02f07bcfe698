import { useQuery } from '@tanstack/react-query';
import type { Model } from '../../../contract/model.ts';
import { formatUsd } from '../../format-money.ts';
import { modelsQuery } from '../../queries/model-queries.ts';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../queries/query-props.ts';
import { Badge } from '../../ui/badge.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Section } from '../../ui/section.tsx';
import style from './models.module.css';

function priceIn(price: Model['price']): string {
  if (!price) return t('models.noPrice');
  const { input, cachedInput, output } = price;
  const read = formatUsd(input);
  return cachedInput === null
    ? t('models.price', { input: read, output: formatUsd(output) })
    : t('models.priceCached', { input: read, cached: formatUsd(cachedInput), output: formatUsd(output) });
}

/** All models by name, with the account that answers and the default model. */
export function AvailableModels({ orgId }: { orgId: string }) {
  const models = useQuery(modelsQuery(orgId));
  return (
    <Section title={t('models.available')} lead={t('models.availableLead')}>
      <QueryView {...viewOf(models)}>
        {(list) => (
          <ul className={style['list']}>
            {list.map(({ name, by, isDefault, price }) => (
              <li key={name} className={style['model']}>
                <code className={style['names']}>{name}</code>
                <Badge tone={by === 'organization' ? 'accent' : 'neutral'}>{t(`models.by.${by}`)}</Badge>
                <span>{by === 'built-in' ? t('models.free') : priceIn(price)}</span>
                {isDefault && <Badge tone="good">{t('models.isDefault')}</Badge>}
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Section>
  );
}
