import { NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { knowledgeSchedules } from '../../../contract/knowledge.ts';
import { t } from '../../messages/t.ts';
import { More } from '../../ui/more.tsx';
import { nameOfSchedule, usePlanSchedules } from './plan-schedules.ts';
import type { SiteMode, SiteValues } from './site-values.ts';
import { linksField } from './links-input.ts';

interface SiteFieldsProps {
  mode: SiteMode;
  /** The form's props for a field. */
  input: (name: keyof SiteValues) => object;
}

/** How often a website is read again; options the plan lacks are marked as such. */
export function ScheduleField({ input }: Pick<SiteFieldsProps, 'input'>) {
  const schedules = usePlanSchedules();
  const options = knowledgeSchedules.map((value) => ({
    value,
    label: nameOfSchedule(value, schedules),
    disabled: schedules?.allowed.includes(value) === false,
  }));
  return (
    <NativeSelect
      label={t('knowledge.readsAgain')}
      description={t('knowledge.scheduleHint')}
      data={options}
      {...input('schedule')}
    />
  );
}

/** Which pages of a site are read; if pages are selected one by one, there are no further settings. */
export function SiteFields({ mode, input }: SiteFieldsProps) {
  if (mode === 'links') return null;
  return (
    <More title={t('knowledge.moreSettings')}>
      <Stack>
        <Textarea
          label={t('knowledge.include')}
          description={t('knowledge.includeHint')}
          placeholder="/docs/*"
          {...linksField}
          {...input('include')}
        />
        <Textarea
          label={t('knowledge.exclude')}
          description={t('knowledge.excludeHint')}
          placeholder="/blog/*"
          {...linksField}
          {...input('exclude')}
        />
        <TextInput
          label={t('knowledge.maxPages')}
          description={t('knowledge.maxPagesHint')}
          inputMode="numeric"
          {...input('maxPages')}
        />
        {mode === 'domain' && (
          <TextInput
            label={t('knowledge.maxDepth')}
            description={t('knowledge.maxDepthHint')}
            inputMode="numeric"
            {...input('maxDepth')}
          />
        )}
      </Stack>
    </More>
  );
}
