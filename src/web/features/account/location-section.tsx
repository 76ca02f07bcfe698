import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Location, type UserProfile } from '../../../contract/user.ts';
import { api } from '../../api/api.ts';
import { showFieldErrors, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { profileQuery } from '../../queries/people-queries.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { viewOf } from '../../queries/query-props.ts';
import { toast } from '../../toast.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { Section } from '../../ui/section.tsx';
import style from './account.module.css';

const fields = [
  ['country', 'country-name'],
  ['region', 'address-level1'],
  ['city', 'address-level2'],
  ['postal', 'postal-code'],
] as const;

const nowhere = { country: '', region: '', city: '', postal: '', timezone: '' };

/** The person's location, as far as they want to state it. Filled in only on request, and stored only when saved. */
export function LocationSection({ uid }: { uid: string }) {
  const profile = useQuery(profileQuery(uid));
  return (
    <Section title={t('account.location')} lead={t('account.locationLead')}>
      <QueryView {...viewOf(profile)}>{(user) => <LocationForm user={user} />}</QueryView>
    </Section>
  );
}

function LocationForm({ user }: { user: UserProfile }) {
  const { form, save } = useLocationForm(user);
  const guess = useMutation({
    mutationFn: async () => (await api.user.guessLocation()).location,
    onSuccess: (place) => {
      // The browser knows its time zone better than a proxy does.
      const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
      for (const [field, value] of Object.entries({ ...place, timezone: timeZone }))
        form.setFieldValue(field as keyof typeof nowhere, value ?? '');
    },
  });
  return (
    <form noValidate onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Stack>
        <div className={style['pair']}>
          {fields.map(([field, autoComplete]) => (
            <TextInput
              key={field}
              label={t(`account.location.${field}`)}
              autoComplete={autoComplete}
              {...form.getInputProps(field)}
            />
          ))}
        </div>
        <TextInput
          label={t('account.location.timezone')}
          placeholder="Europe/Paris"
          {...form.getInputProps('timezone')}
        />
        <div className={style['buttons']}>
          <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
            {t('ui.save')}
          </Button>
          <Button variant="default" onClick={() => guess.mutate()} loading={guess.isPending}>
            {t('account.fillIn')}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

function useLocationForm(user: UserProfile) {
  const queryClient = useQueryClient();
  const form = useValidForm({
    initial: { ...nowhere, ...user.location },
    schema: Location,
    labels: {
      country: t('account.location.country'),
      region: t('account.location.region'),
      city: t('account.location.city'),
      postal: t('account.location.postal'),
      timezone: t('account.location.timezone'),
    },
  });
  const save = useMutation({
    mutationFn: async (values: typeof nowhere) => (await api.user.setLocation(values)).user,
    onSuccess: (saved, values) => {
      queryClient.setQueryData(profileQuery(user.uid).queryKey, saved);
      form.resetDirty(values);
      toast.success({ title: t('ui.saved') });
    },
    onError: (error) => showFieldErrors(form, error) || announceFailure(error),
    meta: { failure: 'updateProfile', quiet: true },
  });
  return { form, save };
}
