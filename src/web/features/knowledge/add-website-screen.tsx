import { Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { KnowledgeSchedule } from '../../../contract/knowledge.ts';
import { t } from '../../messages/t.ts';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { UnsavedGuard } from '../../forms/unsaved-guard.tsx';
import { focusFirst } from '../../forms/focus-first.ts';
import { FoundPages } from './found-pages.tsx';
import style from './knowledge.module.css';
import { linesOf } from './lines.ts';
import { ModeChoice } from './mode-choice.tsx';
import { usePlanSchedules } from './plan-schedules.ts';
import { ScheduleField, SiteFields } from './site-fields.tsx';
import type { SiteMode, SiteValues } from './site-values.ts';
import { useLook } from './use-look.ts';
import { linksToAdd, useWebsiteForm } from './use-website-form.ts';
import { isWanted } from './wanted-pages.ts';

export function AddWebsiteScreen() {
  const schedules = usePlanSchedules();
  return (
    <>
      <PageHeader title={t('knowledge.addWebsite')} lead={t('knowledge.addWebsiteText')} />
      <Card kind="form">
        {schedules ? <WebsiteForm schedule={schedules.preset} /> : <Skeleton shape="form" />}
      </Card>
    </>
  );
}

function WebsiteForm({ schedule }: { schedule: KnowledgeSchedule }) {
  const [touched, setMode] = useState<SiteMode | null>(null);
  const { form, mode, add, showRefusal } = useWebsiteForm({ touched, schedule });
  const { address } = form.values;
  const look = useLook({ website: address, mode }, showRefusal);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const links = linksToAdd(address, look.found, mode === 'links' ? chosen : null);
  const lookAround = () => {
    if (form.validateField('address').hasError) return;
    look.start((found) => setChosen(new Set(found.links.slice(0, 1).map(({ url }) => url))));
  };
  return (
    <form noValidate onSubmit={form.onSubmit((values) => add(values, links))}>
      <UnsavedGuard changed={form.isDirty() && !form.submitting} />
      <Stack>
        <AddressField form={form} isLooking={look.isPending} onLook={lookAround} />
        <ModeChoice mode={mode} onChange={setMode} />
        {look.isPending && (
          <p className={style['soft']} role="status">
            {t('knowledge.looking')}
          </p>
        )}
        {look.found && (
          <FoundPages
            key={address}
            look={look.found}
            isWanted={wantedBy(mode, form.values)}
            choice={mode === 'links' ? { chosen, onChange: setChosen } : undefined}
          />
        )}
        <ScheduleField input={form.getInputProps} />
        <SiteFields mode={mode} input={form.getInputProps} />
        <div>
          <Button type="submit" loading={form.submitting} disabled={links === null}>
            {t('knowledge.add')}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

interface AddressFieldProps {
  form: ReturnType<typeof useWebsiteForm>['form'];
  isLooking: boolean;
  onLook: () => void;
}

function AddressField({ form, isLooking, onLook }: AddressFieldProps) {
  return (
    <div className={style['address']}>
      <TextInput
        ref={focusFirst}
        type="url"
        label={t('knowledge.address')}
        placeholder="https://example.com"
        spellCheck={false}
        {...form.getInputProps('address')}
      />
      <Button variant="default" loading={isLooking} onClick={onLook}>
        {t('knowledge.look')}
      </Button>
    </div>
  );
}

/** Which of the discovered pages match the settings. */
function wantedBy(mode: SiteMode, { include, exclude }: SiteValues): (url: string) => boolean {
  if (mode === 'links') return () => true;
  const patterns = [linesOf(include), linesOf(exclude)] as const;
  return (url) => isWanted(url, ...patterns);
}
