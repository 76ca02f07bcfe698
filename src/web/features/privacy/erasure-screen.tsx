import { Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Erasure } from '../../../contract/privacy.ts';
import { laterApi } from '../../api/later-api.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { download } from '../../download.ts';
import { formatNumber, formatExactTime } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { isNotFound, viewOf } from '../../queries/query-props.ts';
import { useStore } from '../../store.ts';
import { scheme } from '../../theme.ts';
import { Callout } from '../../ui/callout.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { MantineRoot } from '../../ui/mantine-root.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Section } from '../../ui/section.tsx';
import './messages.ts';

const LOOK_EVERY_MS = 1000;

/** The receipt of an erasure, for everyone who was given its address. */
export function ErasureScreen() {
  const { token = '' } = useParams({ strict: false });
  const found = useQuery({
    queryKey: ['erasure', token],
    queryFn: async ({ signal }) => (await laterApi.privacy.getErasure({ token }, { signal })).erasure,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? LOOK_EVERY_MS : false),
    meta: { failure: 'getErasure', quiet: true },
  });
  const colours = useStore(scheme);
  if (found.data === undefined && isNotFound(found.error))
    return <Notice level={1} title={t('privacy.noReceipt')} text={t('privacy.noReceiptText')} />;
  return (
    <MantineRoot scheme={colours}>
      <PageHeader title={t('privacy.receipt')} lead={t('privacy.receiptText')} />
      <QueryView {...viewOf(found)} shape="card">
        {(erasure) =>
          erasure.doneAt === null ? (
            <Callout>{t('privacy.running')}</Callout>
          ) : (
            <Done erasure={erasure} doneAt={erasure.doneAt} />
          )
        }
      </QueryView>
    </MantineRoot>
  );
}

function Done({ erasure, doneAt }: { erasure: Erasure; doneAt: string }) {
  return (
    <Stack gap="lg">
      <Callout>{t('privacy.doneAt', { date: formatExactTime(doneAt) })}</Callout>
      <Counts title={t('privacy.what')} counts={erasure.erased} />
      <Counts title={t('privacy.kept')} counts={erasure.kept} />
      <Signed erasure={erasure} />
    </Stack>
  );
}

type Kind = keyof Erasure['erased'] | keyof Erasure['kept'];

function Counts({ title, counts }: { title: string; counts: Erasure['erased'] | Erasure['kept'] }) {
  const some = (Object.entries(counts) as [Kind, number][]).filter(([, count]) => count > 0);
  return (
    <Section title={title}>
      {some.length === 0 ? (
        <p>{t('privacy.nothing')}</p>
      ) : (
        <Facts>
          {some.map(([kind, count]) => (
            <Fact key={kind} name={t(`privacy.kind.${kind}`)}>
              {formatNumber(count)}
            </Fact>
          ))}
        </Facts>
      )}
    </Section>
  );
}

function Signed({ erasure: { id, receipt, publicKey } }: { erasure: Erasure }) {
  const text = receipt ?? '';
  const save = () =>
    download({
      name: `${id}.json`,
      type: 'application/json',
      content: JSON.stringify({ receipt, publicKey }, null, 2),
    });
  return (
    <Section title={t('privacy.signed')} lead={t('privacy.signedText')}>
      <Group>
        <CopyText text={text} label={t('privacy.copyReceipt')} />
        <Button variant="default" onClick={save}>
          {t('privacy.saveReceipt')}
        </Button>
      </Group>
    </Section>
  );
}
