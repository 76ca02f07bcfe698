import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sentiments } from '../../../contract/sentiments.ts';
import { pluginTypes } from '../../../contract/plugin-names.ts';
import { laterApi } from '../../api/later-api.ts';
import '../../parts/estimate-messages.ts';
import { formatShare } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { Filters } from '../../ui/filters.tsx';
import { confidences, qualities, type ConversationFilters } from './conversation-filters.ts';
import { languageName } from './language-name.ts';
import { topicsQuery } from './use-questions.ts';

interface FilterFieldsProps {
  agentId: string;
  filters: ConversationFilters;
  onChange: (filters: Record<string, unknown>) => void;
}

/** The most common languages, by code. */
const languages = 'ar cs da de el en es fi fr he hu it ja ko nl no pl pt ro ru sv th tr uk vi zh'.split(' ');

/** Service names, which are the same in every language. */
const channelNames: Record<(typeof pluginTypes)[number], string> = {
  twitter: 'X',
  telegram: 'Telegram',
  slack: 'Slack',
  discord: 'Discord',
  whatsapp: 'WhatsApp',
  email: 'E-mail',
  webhook: 'Webhook',
};

/** Topics of the past year are offered. */
const TOPIC_DAYS = 365;

interface Choice {
  name: keyof ConversationFilters;
  label: string;
  options: { value: string; label: string }[];
}

/** The filters with fixed choices. */
const fixed = (): Choice[] => [
  {
    name: 'channel',
    label: t('improvement.channel'),
    options: pluginTypes.map((value) => ({ value, label: channelNames[value] })),
  },
  {
    name: 'rating',
    label: t('improvement.rating'),
    options: (['up', 'down'] as const).map((value) => ({ value, label: t(`improvement.rating.${value}`) })),
  },
  {
    name: 'unanswered',
    label: t('improvement.answered'),
    options: [{ value: 'true', label: t('improvement.answered.true') }],
  },
  {
    name: 'confidence',
    label: t('improvement.confidence'),
    options: confidences.map((value) => ({ value: String(value), label: formatShare(value) })),
  },
  {
    name: 'language',
    label: t('improvement.language'),
    options: languages.map((value) => ({ value, label: languageName(value) })),
  },
  {
    name: 'sentiment',
    label: t('estimate.sentiment'),
    options: sentiments.map((value) => ({ value, label: t(`estimate.sentiment.${value}`) })),
  },
  {
    name: 'quality',
    label: t('estimate.quality'),
    options: qualities.map((value) => ({
      value: String(value),
      label: t('estimate.qualityAtMost', { quality: String(value) }),
    })),
  },
];

/** This agent's topics and products. */
function useOwnChoices(agentId: string): Choice[] {
  const { data: asked } = useQuery(topicsQuery(agentId, TOPIC_DAYS));
  const { data: products } = useQuery({
    queryKey: ['products', agentId, 'names'],
    queryFn: async ({ signal }) => (await laterApi.product.list({ agentId }, { signal })).products,
    meta: { failure: 'getProducts', quiet: true },
  });
  const topics = (asked?.topics ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const plans = (products ?? []).map(({ id, detailsConfig }) => ({ value: id, label: detailsConfig.name }));
  const choices: Choice[] = [
    { name: 'topicId', label: t('improvement.topic'), options: topics },
    { name: 'productId', label: t('improvement.product'), options: plans },
  ];
  return choices.filter(({ options }) => options.length > 0);
}

export function FilterFields({ agentId, filters, onChange }: FilterFieldsProps) {
  const own = useOwnChoices(agentId);
  const field = (name: keyof ConversationFilters) => ({
    value: String(filters[name] ?? ''),
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onChange({ ...filters, [name]: value || undefined }),
  });
  return (
    <Filters label={t('improvement.filters')} opened={Object.keys(filters).length > 0}>
      <TextInput type="date" label={t('improvement.from')} max={filters.to} {...field('from')} />
      <TextInput type="date" label={t('improvement.to')} min={filters.from} {...field('to')} />
      {[...fixed(), ...own].map(({ name, label, options }) => (
        <NativeSelect
          key={name}
          label={label}
          data={[{ value: '', label: t('improvement.any') }, ...options]}
          {...field(name)}
        />
      ))}
    </Filters>
  );
}
