import { Group, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../queries/query-props.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { Section } from '../../ui/section.tsx';

/** The person's referral link, and its results. */
export function ReferralSection() {
  const found = useQuery({
    queryKey: ['referral'],
    queryFn: async ({ signal }) => (await api.billing.getReferral({}, { signal })).referral,
    meta: { failure: 'getUsage', quiet: true },
  });
  return (
    <Section title={t('referral.title')}>
      <QueryView {...viewOf(found)} shape="line">
        {({ link, came, rewarded, credits }) => (
          <Stack>
            <p>{t('referral.text', { credits: formatNumber(credits) })}</p>
            <TextInput readOnly label={t('referral.link')} value={link} />
            <Group>
              <CopyText text={link} label={t('referral.copy')} />
            </Group>
            <p>{t('referral.came', { came: formatNumber(came), rewarded: formatNumber(rewarded) })}</p>
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}
