import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { InsightPeriod } from '../../../contract/insight-periods.ts';
import { t } from '../../messages/t.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import './messages.ts';
import { PeriodChoice } from './period-choice.tsx';
import { useExport, type Subject } from './use-insights.ts';

interface HeadProps {
  title: string;
  lead: string;
  subject: Subject;
  period: InsightPeriod;
  /** Shown before the export. */
  actions?: ReactNode;
}

/** Title, export and the period selector. */
export function Head({ title, lead, subject, period, actions }: HeadProps) {
  const save = useExport(subject, period);
  return (
    <>
      <PageHeader
        title={title}
        lead={lead}
        actions={
          <>
            {actions}
            <Button
              variant="default"
              leftSection={<IconDownload size="1.15em" aria-hidden />}
              loading={save.isPending}
              onClick={() => save.mutate()}
            >
              {t('insights.export')}
            </Button>
          </>
        }
      />
      <PeriodChoice chosen={period} />
    </>
  );
}
