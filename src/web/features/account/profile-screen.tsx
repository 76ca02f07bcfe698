import { Button, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { AuthUser } from '../../../contract/identity.ts';
import { user as calls } from '../../../contract/user.ts';
import { api } from '../../api.ts';
import { showFieldErrors, useValidForm } from '../../form.ts';
import { t } from '../../messages/t.ts';
import { announceFailure } from '../../query-client.ts';
import { adoptSession, refreshSession, sessionState } from '../../session.ts';
import { useStore } from '../../store.ts';
import { chooseColourMode, colourMode, colourModes } from '../../theme.ts';
import { toast } from '../../toast.ts';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { UsernameInput } from '../../username-input.tsx';
import style from './account.module.css';

export function ProfileScreen() {
  const { user } = useStore(sessionState);
  return (
    <>
      <PageHeader title={t('account.profile')} lead={user?.email ?? t('account.noEmail')} />
      <Stack gap="lg">
        {user && <ProfileForm key={user.uid} user={user} />}
        <Appearance />
      </Stack>
    </>
  );
}

function ProfileForm({ user }: { user: AuthUser }) {
  const labels = { name: t('account.name'), username: t('account.username') };
  const form = useValidForm({
    initial: { name: user.name, username: user.username ?? '' },
    schema: calls.register.input,
    labels,
  });
  const save = useMutation({
    mutationFn: async (values: { name: string; username: string }) => {
      await api.user.updateProfile({ uid: user.uid, ...values });
      adoptSession(await refreshSession());
    },
    onSuccess: () => {
      form.resetDirty();
      toast.success({ title: t('ui.saved') });
    },
    onError: (error) => showFieldErrors(form, error) || announceFailure(error),
    meta: { failure: 'updateProfile', quiet: true },
  });
  return (
    <Card kind="form">
      <form noValidate onSubmit={form.onSubmit((values) => save.mutate(values))}>
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
    </Card>
  );
}

function Appearance() {
  const mode = useStore(colourMode);
  return (
    <Card kind="form">
      <h2 className={style['heading']} id="colour-mode">
        {t('account.colourMode')}
      </h2>
      <SegmentedControl
        aria-labelledby="colour-mode"
        value={mode}
        onChange={chooseColourMode}
        data={colourModes.map((value) => ({ value, label: t(`account.colourMode.${value}`) }))}
      />
    </Card>
  );
}
