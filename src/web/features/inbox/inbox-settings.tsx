import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { FormErrors } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { endsNextDay, inbox as calls, type InboxSetting, type OfficeHours } from '../../../contract/inbox.ts';
import { AWAY_MESSAGE_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { api } from '../../api/api.ts';
import { adoptSaved, changedIn, useStored, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { Permitted } from '../../session/permitted.tsx';
import { viewOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { timeZone } from '../../time-zone.ts';
import { toast } from '../../toast.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Section } from '../../ui/section.tsx';
import { UnsavedGuard } from '../../forms/unsaved-guard.tsx';
import { useMay } from '../../session/use-role.ts';
import { CannedAnswers } from './canned-answers.tsx';
import style from './inbox.module.css';
import './messages.ts';

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const schema = calls.setSetting.input.omit({ organizationId: true });
const usualDay = { from: '09:00', to: '17:00' };

/** When people answer, what is said while they don't, who is notified, and canned answers. */
export function InboxSettings() {
  const orgId = useOrgId();
  const mayManage = useMay(orgId, 'organization.manage');
  return (
    <div className={style['settings']}>
      <Permitted permission="agent.write" title={t('inbox.settingsTitle')}>
        <PageHeader title={t('inbox.settingsTitle')} />
        {mayManage && <Setting orgId={orgId} />}
        <CannedAnswers orgId={orgId} />
      </Permitted>
    </div>
  );
}

function Setting({ orgId }: { orgId: string }) {
  const found = useQuery({
    queryKey: ['inbox-setting', orgId],
    queryFn: async ({ signal }) =>
      (await api.inbox.getSetting({ organizationId: orgId }, { signal })).setting,
    meta: { failure: 'getInbox', quiet: true },
  });
  return (
    <QueryView {...viewOf(found)} shape="form">
      {(setting) => <SettingForm orgId={orgId} setting={setting} />}
    </QueryView>
  );
}

function SettingForm({ orgId, setting }: { orgId: string; setting: InboxSetting }) {
  const stored = { ...setting };
  const form = useValidForm({
    initial: stored,
    schema,
    labels: { officeHours: t('inbox.hours'), awayMessage: t('inbox.away'), notify: t('inbox.notify') },
  });
  useStored(form, stored);
  const { values, setValues } = form;
  const changed = form.isDirty();
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (given: typeof stored) =>
      api.inbox.setSetting({ organizationId: orgId, ...changedIn(form, given) }),
    onSuccess: async ({ setting: saved }, given) => {
      adoptSaved(form, given, saved);
      await queries.invalidateQueries({ queryKey: ['inbox-setting', orgId] });
      toast.success({ title: t('inbox.saved') });
    },
    meta: { failure: 'updateConversation' },
  });
  return (
    <Section title={t('inbox.hours')} lead={t('inbox.hoursLead')}>
      <UnsavedGuard changed={changed} />
      <form className={style['days']} onSubmit={form.onSubmit((given) => save.mutate(given))}>
        <Checkbox
          label={t('inbox.always')}
          checked={values.officeHours === null}
          onChange={({ currentTarget: { checked } }) =>
            setValues({ ...values, officeHours: checked ? null : usualHours() })
          }
        />
        {values.officeHours && (
          <Hours
            hours={values.officeHours}
            errors={form.errors}
            onChange={(officeHours) => setValues({ ...values, officeHours })}
          />
        )}
        <Words values={values} onChange={setValues} />
        <div>
          <Button type="submit" loading={save.isPending} disabled={!changed}>
            {t('inbox.save')}
          </Button>
        </div>
      </form>
    </Section>
  );
}

/** The texts, and who gets them. */
function Words({ values, onChange }: { values: InboxSetting; onChange: (values: InboxSetting) => void }) {
  return (
    <>
      <Textarea
        autosize
        label={t('inbox.away')}
        description={t('inbox.awayHint')}
        maxLength={AWAY_MESSAGE_MAX_CHARACTERS}
        value={values.awayMessage}
        onChange={({ currentTarget: { value } }) => onChange({ ...values, awayMessage: value })}
      />
      <NativeSelect
        label={t('inbox.notify')}
        value={values.notify}
        data={(['managers', 'all', 'nobody'] as const).map((value) => ({
          value,
          label: t(`inbox.notify.${value}`),
        }))}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...values, notify: value as InboxSetting['notify'] })
        }
      />
    </>
  );
}

function usualHours(): OfficeHours {
  return { timeZone: timeZone(), days: weekdays.map((_, index) => (index < 5 ? usualDay : null)) };
}

/** All zones the browser knows; the chosen one may go by another of its names. */
function zonesWith(chosen: string): string[] {
  return [...new Set([chosen, timeZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])].toSorted();
}

interface HoursProps {
  hours: OfficeHours;
  /** The form's errors, by field path. */
  errors: FormErrors;
  onChange: (hours: OfficeHours) => void;
}

function Hours({ hours, errors, onChange }: HoursProps) {
  const set = (index: number, day: OfficeHours['days'][number]) =>
    onChange({ ...hours, days: hours.days.with(index, day) });
  return (
    <>
      <NativeSelect
        label={t('inbox.zone')}
        value={hours.timeZone}
        data={zonesWith(hours.timeZone)}
        onChange={({ currentTarget: { value } }) => onChange({ ...hours, timeZone: value })}
      />
      <fieldset className={style['hours']}>
        <legend>{t('inbox.hoursOfDays')}</legend>
        {weekdays.map((weekday, index) => {
          const day = hours.days[index] ?? null;
          const name = t(`inbox.day.${weekday}`);
          const place = `officeHours.days.${index}`;
          return (
            <div key={weekday} className={style['day']}>
              <Checkbox
                label={name}
                checked={day !== null}
                onChange={({ currentTarget: { checked } }) => set(index, checked ? usualDay : null)}
              />
              {day && (
                <>
                  <Time
                    label={t('inbox.from', { day: name })}
                    error={errors[`${place}.from`]}
                    value={day.from}
                    onChange={(from) => set(index, { ...day, from })}
                  />
                  <Time
                    label={t('inbox.to', { day: name })}
                    hint={endsNextDay(day) && t('inbox.nextDay')}
                    error={errors[`${place}.to`]}
                    value={day.to}
                    onChange={(to) => set(index, { ...day, to })}
                  />
                </>
              )}
            </div>
          );
        })}
      </fieldset>
    </>
  );
}

interface TimeProps {
  label: string;
  hint?: string | false;
  error: ReactNode;
  value: string;
  onChange: (value: string) => void;
}

function Time({ label, hint = false, error, value, onChange }: TimeProps) {
  return (
    <TextInput
      type="time"
      aria-label={label}
      description={hint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      error={error}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
