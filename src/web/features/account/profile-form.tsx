import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { AuthUser } from '../../../contract/identity.ts';
import { user as calls } from '../../../contract/user.ts';
import { api } from '../../api/api.ts';
import { adoptSaved, changedIn, showFieldErrors, useStored, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { PhotoField } from '../../forms/photo-field.tsx';
import { announceFailure } from '../../queries/query-client.ts';
import { adoptSession, refreshSession } from '../../session/session.ts';
import { toast } from '../../toast.ts';
import { Section } from '../../ui/section.tsx';
import { UnsavedGuard } from '../../forms/unsaved-guard.tsx';
import { UsernameInput } from '../../forms/username-input.tsx';

/** What others see of the person. */
export function ProfileForm({ user }: { user: AuthUser }) {
  const upload = async (media: File) => {
    await api.user.uploadPhoto({ uid: user.uid, media });
    adoptSession(await refreshSession());
  };
  return (
    <Section title={t('account.you')} lead={t('account.youLead')}>
      <Stack>
        <PhotoField
          round
          name={user.name}
          photo={user.profilePhoto}
          failure="updateProfile"
          onUpload={upload}
        />
        <NameForm user={user} />
      </Stack>
    </Section>
  );
}

function NameForm({ user }: { user: AuthUser }) {
  const labels = { name: t('account.name'), username: t('account.username') };
  const stored = { name: user.name, username: user.username ?? '' };
  // Only members need a username.
  const changesOf = ({ name, username }: typeof stored) =>
    user.username === null && username === '' ? { name } : { name, username };
  const form = useValidForm({
    initial: stored,
    schema: {
      safeParse: (values) =>
        calls.updateProfile.input.safeParse({ uid: user.uid, ...changesOf(values as typeof stored) }),
    },
    labels,
  });
  useStored(form, stored);
  const save = useMutation({
    mutationFn: async (values: typeof stored) => {
      const { user: saved } = await api.user.updateProfile({ uid: user.uid, ...changedIn(form, values) });
      adoptSession(await refreshSession());
      return saved;
    },
    onSuccess: ({ name, username }, sent) => {
      adoptSaved(form, sent, { name, username: username ?? '' });
      toast.success({ title: t('ui.saved') });
    },
    onError: (error) => showFieldErrors(form, error) || announceFailure(error),
    meta: { failure: 'updateProfile', quiet: true },
  });
  return (
    <form noValidate onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <UnsavedGuard changed={form.isDirty()} />
      <Stack>
        <TextInput label={labels.name} autoComplete="name" {...form.getInputProps('name')} />
        <UsernameInput
          value={form.values.username}
          own={user.username}
          input={form.getInputProps('username')}
        />
        <div>
          <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
            {t('ui.save')}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
