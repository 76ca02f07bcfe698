import { NativeSelect } from '@mantine/core';
import { reportPaces } from '../../../contract/insight-periods.ts';
import { t } from '../../messages/t.ts';
import style from './insights.module.css';
import './messages.ts';
import { useReport } from './use-insights.ts';

/** How often the reader gets these numbers by email. */
export function ReportChoice({ organizationId }: { organizationId: string }) {
  const { every, change } = useReport(organizationId);
  if (every === undefined) return null;
  return (
    <NativeSelect
      className={style['report'] ?? ''}
      label={t('insights.byMail')}
      description={t('insights.byMailText')}
      value={every ?? ''}
      disabled={change.isPending}
      onChange={({ currentTarget: { value } }) =>
        change.mutate(reportPaces.find((pace) => pace === value) ?? null)
      }
      data={[
        { value: '', label: t('insights.byMail.never') },
        ...reportPaces.map((pace) => ({ value: pace, label: t(`insights.byMail.${pace}`) })),
      ]}
    />
  );
}
